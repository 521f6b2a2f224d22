# SPDX-License-Identifier: Apache-2.0
# What is installed beyond the targets, and the package.
