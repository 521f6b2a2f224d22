# SPDX-License-Identifier: Apache-2.0
"""OpenMM's forces, energies and motion on OpenCL against its reference platform; prints "pass|fail CASE ...".

A box of small charged molecules with bonds, angles and torsions: cutoffs, mesh Ewald (which has its own
Fourier transforms), an implicit solvent, a force given as a formula; single, mixed and double precision.
"""
import numpy as np
import openmm
from openmm import unit

RANDOM = np.random.RandomState(5)
MOLECULES, ATOMS, EDGE = 125, 4, 3.1
CHARGES = (0.5, -0.3, -0.4, 0.2)
# relative to the root of the mean square of the forces
LIMITS = {"single": 2e-4, "mixed": 2e-4, "double": 2e-6}


def positions():
    side = round(MOLECULES ** (1 / 3))
    grid = np.indices((side, side, side)).reshape(3, -1).T * (EDGE / side)
    chain = np.array([[0, 0, 0], [0.15, 0, 0], [0.2, 0.14, 0], [0.34, 0.15, 0.05]])
    return (grid[:, None] + chain + RANDOM.rand(MOLECULES, ATOMS, 3) * 0.02).reshape(-1, 3)


def bonded(system):
    bonds, angles, torsions = openmm.HarmonicBondForce(), openmm.HarmonicAngleForce(), openmm.PeriodicTorsionForce()
    for a in range(0, MOLECULES * ATOMS, ATOMS):
        for i in range(3):
            bonds.addBond(a + i, a + i + 1, 0.15, 1e4)
        for i in range(2):
            angles.addAngle(a + i, a + i + 1, a + i + 2, 1.9, 300)
        torsions.addTorsion(a, a + 1, a + 2, a + 3, 3, 0.4, 5)
    for force in (bonds, angles, torsions):
        system.addForce(force)


def nonbonded(method):
    force = openmm.NonbondedForce()
    for atom in range(MOLECULES * ATOMS):
        force.addParticle(CHARGES[atom % ATOMS], 0.25, 0.4)
    force.createExceptionsFromBonds(
        [(a + i, a + i + 1) for a in range(0, MOLECULES * ATOMS, ATOMS) for i in range(3)], 0.8, 0.5)
    force.setNonbondedMethod(method)
    force.setCutoffDistance(0.9)
    return force


def solvent():
    force = openmm.GBSAOBCForce()
    for atom in range(MOLECULES * ATOMS):
        force.addParticle(CHARGES[atom % ATOMS], 0.15, 0.8)
    return force


def formula():
    force = openmm.CustomNonbondedForce("k*exp(-r/s)*cos(9*r)*erfc(r)/r; s=0.5*(s1+s2)")
    force.addGlobalParameter("k", 30.0)
    force.addPerParticleParameter("s")
    for atom in range(MOLECULES * ATOMS):
        force.addParticle([0.2 + 0.02 * (atom % 5)])
    return force


CASES = {
    "no-cutoff": [lambda: nonbonded(openmm.NonbondedForce.NoCutoff)],
    "cutoff": [lambda: nonbonded(openmm.NonbondedForce.CutoffPeriodic)],
    "mesh-ewald": [lambda: nonbonded(openmm.NonbondedForce.PME)],
    "solvent": [lambda: nonbonded(openmm.NonbondedForce.NoCutoff), solvent],
    "formula": [formula],
}


def make_system(parts):
    system = openmm.System()
    for _ in range(MOLECULES * ATOMS):
        system.addParticle(12)
    system.setDefaultPeriodicBoxVectors((EDGE, 0, 0), (0, EDGE, 0), (0, 0, EDGE))
    bonded(system)
    for part in parts:
        system.addForce(part())
    return system


def run(parts, start, platform, settings, steps):
    """Energy and forces at the start, places after some steps."""
    integrator = openmm.VerletIntegrator(0.0005)
    context = openmm.Context(make_system(parts), integrator, openmm.Platform.getPlatformByName(platform), settings)
    context.setPositions(start)
    state = context.getState(getEnergy=True, getForces=True)
    integrator.step(steps)
    after = context.getState(getPositions=True)
    return (state.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole),
            state.getForces(asNumpy=True)._value, after.getPositions(asNumpy=True)._value)


def main():
    start = positions()
    for name, parts in CASES.items():
        energy, forces, places = run(parts, start, "Reference", {}, 10)
        size = np.sqrt((forces ** 2).mean())
        for precision, limit in LIMITS.items():
            found = run(parts, start, "OpenCL", {"Precision": precision}, 10)
            away = (abs(found[0] - energy) / abs(energy), np.abs(found[1] - forces).max() / size,
                    np.abs(found[2] - places).max())
            # one atom's force may be off by some of its largest parts, which cancel
            good = away[0] < limit and away[1] < 20 * limit and away[2] < limit
            print("pass" if good else "fail", name + "-" + precision, "energy %.1e, forces %.1e, places %.1e" % away,
                  flush=True)


main()
