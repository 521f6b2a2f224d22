# SPDX-License-Identifier: Apache-2.0
# cmake -DIN=file.cl -DOUT=file.h -DNAME=symbol -P embed.cmake: the text as a C string.
file(READ ${IN} text)
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\n" "\\n\"\n\"" text "${text}")
file(WRITE ${OUT} "static const char ${NAME}[] = \"${text}\";\n")
