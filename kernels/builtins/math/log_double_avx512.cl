/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log, log2 and log10 of double for AVX-512: the significand's leading four bits choose c, close to
 * its inverse, and -log(c), each out of two registers. Next to one c is one.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "lane.h"

/* c */
constant double sl_log_inverse[16] __attribute__((aligned(64))) = {
    0x1p+0,     0x1.d42p-1, 0x1.bacp-1, 0x1.a42p-1, 0x1.8fap-1, 0x1.7dp-1,  0x1.6c2p-1, 0x1.5cap-1,
    0x1.4e6p+0, 0x1.414p+0, 0x1.352p+0, 0x1.29ep+0, 0x1.1f7p+0, 0x1.15bp+0, 0x1.0c9p+0, 0x1p+0,
};

/* -log(c), -log2(c), -log10(c) to 42 binary places, and what they lack */
constant double sl_log_high[16] __attribute__((aligned(64))) = {
    0x0p+0,
    0x1.6ef528c058p-4,
    0x1.299d30c606p-3,
    0x1.9509aa0044p-3,
    0x1.fb7d86eee4p-3,
    0x1.2e9e2bce12p-2,
    0x1.5d01dc49ffp-2,
    0x1.898d38a893p-2,
    -0x1.117ee81dfep-2,
    -0x1.d0fb7f2256p-3,
    -0x1.8230164c1ap-3,
    -0x1.3643cad058p-3,
    -0x1.da6e7637c4p-4,
    -0x1.4d1515b988p-4,
    -0x1.88729e70fp-5,
    0x0p+0,
};
constant double sl_log_low[16] __attribute__((aligned(64))) = {
    0x0p+0,
    -0x1.5d462d767cadep-44,
    0x1.d4d0079dc08d9p-44,
    0x1.f1e675b4d35c6p-44,
    -0x1.1c061cdb8097bp-45,
    0x1.4300c128d1dc2p-45,
    0x1.740ab8cfa5ed3p-45,
    0x1.1f666071e2f57p-44,
    -0x1.30f778a2e8cbdp-44,
    0x1.af52b20633b29p-47,
    -0x1.98dd68a5d0b48p-46,
    -0x1.1e18f2132dfd5p-44,
    -0x1.a83eac951c1aap-46,
    0x1.8e7d02e3f5e95p-47,
    0x1.9c8d8f692991dp-45,
    0x0p+0,
};

constant double sl_log2_high[16] __attribute__((aligned(64))) = {
    0x0p+0,
    0x1.08b438e518p-3,
    0x1.ad5dc4701p-3,
    0x1.242c4835cp-2,
    0x1.6e13af9f3ap-2,
    0x1.b495d4e918p-2,
    0x1.f782d47292p-2,
    0x1.1be33373ebp-1,
    -0x1.8a9228a044p-2,
    -0x1.4f69f5d83p-2,
    -0x1.16935d34fbp-2,
    -0x1.bf9e14fc5cp-3,
    -0x1.563adff6b2p-3,
    -0x1.e089492ee8p-4,
    -0x1.1b1758b034p-4,
    0x0p+0,
};
constant double sl_log2_low[16] __attribute__((aligned(64))) = {
    0x0p+0,
    -0x1.5cef74a69b15cp-45,
    -0x1.84f81c3dff604p-47,
    0x1.82ff65bd8fa1ap-45,
    0x1.46c7cbe3e4523p-46,
    0x1.7dd4bcb97f73cp-44,
    0x1.5c30494ded24ap-44,
    0x1.bda5d52c5e8a6p-46,
    0x1.90f7cc1c89df1p-45,
    -0x1.8f36dd24bae46p-44,
    -0x1.151c6348d84a5p-45,
    -0x1.c403ccf9661c6p-45,
    0x1.7be47c35ee9e4p-46,
    0x1.f54ec065500f3p-44,
    -0x1.8c4e686a97846p-46,
    0x0p+0,
};

constant double sl_log10_high[16] __attribute__((aligned(64))) = {
    0x0p+0,
    0x1.3ebc410dbp-5,
    0x1.0281170d6cp-4,
    0x1.5fcfb2a78cp-4,
    0x1.b8ccee237cp-4,
    0x1.06d9bc53c2p-3,
    0x1.2f24d411bcp-3,
    0x1.55d5a9689ep-3,
    -0x1.db1c59bccp-4,
    -0x1.93e0eb2d84p-4,
    -0x1.4f704145c4p-4,
    -0x1.0d7e1a900cp-4,
    -0x1.9c16014f3p-5,
    -0x1.214fc93b9p-5,
    -0x1.54e032486p-6,
    0x0p+0,
};
constant double sl_log10_low[16] __attribute__((aligned(64))) = {
    0x0p+0,
    0x1.957bddd042af7p-46,
    -0x1.9031d35d42be2p-44,
    -0x1.1376f52820cdp-52,
    0x1.75280c39d508fp-44,
    0x1.2818deee1fa45p-44,
    0x1.c6dea38780df3p-44,
    0x1.e3428f94033cp-45,
    -0x1.7b0c51f8efc9ap-44,
    -0x1.2c8bddad288b6p-44,
    0x1.d85f5a0244463p-46,
    -0x1.95cac0c4876bdp-44,
    0x1.eada0842a784cp-46,
    -0x1.bc1d0d742b88ap-45,
    0x1.3883a50da7f35p-46,
    0x0p+0,
};

/* Of powers: c has so few bits that c m - 1 is exact. */
constant double sl_power_inverse_wide[16] __attribute__((aligned(64))) = {
    0x1p+0,   0x1.dp-1, 0x1.cp-1,  0x1.ap-1,  0x1.9p-1, 0x1.8p-1,  0x1.7p-1, 0x1.6p-1,
    0x1.5p+0, 0x1.4p+0, 0x1.38p+0, 0x1.28p+0, 0x1.2p+0, 0x1.18p+0, 0x1.1p+0, 0x1p+0,
};
constant double sl_power_log_high[16] __attribute__((aligned(64))) = {
    0x0p+0,
    0x1.9335e5d594p-4,
    0x1.1178e8227ep-3,
    0x1.a93ed3c8aep-3,
    0x1.f991c6cb3cp-3,
    0x1.269621134ep-2,
    0x1.522ae0738ap-2,
    0x1.7fafa3bd81p-2,
    -0x1.1675cababap-2,
    -0x1.c8ff7c79aap-3,
    -0x1.9525a9cf46p-3,
    -0x1.29552f82p-3,
    -0x1.e27076e2bp-4,
    -0x1.6f0d28ae58p-4,
    -0x1.f0a30c0118p-5,
    0x0p+0,
};
constant double sl_power_log_low[16] __attribute__((aligned(64))) = {
    0x0p+0,
    0x1.3115c3abd47dap-45,
    0x1.1ef78ce2d07f2p-45,
    -0x1.8724350562169p-45,
    -0x1.90d04cd7cc834p-44,
    -0x1.1b61f10522625p-44,
    0x1.ebe708164c759p-45,
    0x1.46fb79bf6d4cbp-44,
    -0x1.8380e731f55c4p-44,
    0x1.7794f689f8434p-45,
    0x1.297137d9f158fp-44,
    0x1.5b967f4471dfcp-44,
    0x1.a342c2af0003cp-45,
    0x1.4b4641b664613p-44,
    0x1.d599e83368e91p-45,
    0x0p+0,
};

#define SL_BODY "math/log_double_avx512_body.h"
#include "each_width.h"
