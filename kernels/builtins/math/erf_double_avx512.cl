/* SPDX-License-Identifier: Apache-2.0 */
/*
 * erf of double: one form for the whole range, no branches and no division.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "lane.h"

/* Row k has what r^k is multiplied by, for each of 16 parts of the range: interpolated in
 * Chebyshev's points, relative error 2^-52. */
constant double sl_erf_quotient[12][16] __attribute__((aligned(64))) = {
    {0x1.20dd750429b6cp+0, 0x1.135a90163a44cp+0, 0x1.e236b9694226dp-1, 0x1.8f4d8b5e2f76ap-1,
     0x1.4438490e8bb5dp-1, 0x1.09ad5a8fa2641p-1, 0x1.bd4e34b1a2f07p-2, 0x1.7e139307a0800p-2,
     0x1.4e5cc53a497bbp-2, 0x1.293710421f89dp-2, 0x1.0b7e6dad6d736p-2, 0x1.e65a3da941c1cp-3,
     0x1.bdd2b898a310cp-3, 0x1.9b876f525f6a2p-3, 0x1.7e225515a4e34p-3, 0x1.64a893adcd25dp-3},
    {0.0, -0x1.0e4305aade33ep-2, -0x1.a3e26b8524ff4p-2, -0x1.aa52848aa78f1p-2,
     -0x1.5f2046bcef4fep-2, -0x1.0620c2bea3d9fp-2, -0x1.7e9a5f1a12147p-3, -0x1.1c82315844716p-3,
     -0x1.b49738c74c90ap-4, -0x1.590e8171f7a2cp-4, -0x1.1780d628269fbp-4, -0x1.cdfd5e2ddf7ccp-5,
     -0x1.8433218471b43p-5, -0x1.4ac6138c029f0p-5, -0x1.1d353d43a49d2p-5, -0x1.f0e549bd8bcebp-6},
    {-0x1.812746b036676p-2, -0x1.23f7261b8f626p-2, -0x1.7a21c7c819d7ep-4, 0x1.f1bed9d802589p-5,
     0x1.da1d99c3a20ffp-4, 0x1.ad4b3fd209417p-4, 0x1.3582f50460e1dp-4, 0x1.a1a75628a60efp-5,
     0x1.1c56e8a8cf70bp-5, 0x1.907b0cef7f1b4p-6, 0x1.240b5e22ce018p-6, 0x1.b6d8bd66339f2p-7,
     0x1.520633e866967p-7, 0x1.09dd7fcb53e5ap-7, 0x1.a9bbb14772819p-8, 0x1.5a2307d47d205p-8},
    {0.0, 0x1.28ceb5c380c17p-3, 0x1.5770e65d5eafcp-3, 0x1.72dc6ed498cc4p-4, 0x1.720e3f8dfb27ap-7,
     -0x1.76d6fe599f333p-6, -0x1.97f1dd92ffeacp-6, -0x1.2054ca865bef9p-6, -0x1.6d581fa42f4a5p-7,
     -0x1.cfd1a4862f89cp-8, -0x1.3113ecc8da9acp-8, -0x1.a0db064bf056dp-9, -0x1.26556eb2e8f62p-9,
     -0x1.ab63427b5de71p-10, -0x1.3dbf9574e3b17p-10, -0x1.e23ca58d9022cp-11},
    {0x1.ce2f219a36f82p-4, 0x1.f47f77219f37dp-5, -0x1.c70c0a11e97c3p-6, -0x1.f0a22910cac4fp-5,
     -0x1.35f4c00eeb44ap-5, -0x1.240a1d36871ecp-7, 0x1.d4d483e362b46p-9, 0x1.43d12eec676a2p-8,
     0x1.bc5df605a0db5p-9, 0x1.09ab717a4c38bp-9, 0x1.3e36f7e370bd5p-10, 0x1.8be90ee7c5779p-11,
     0x1.0049b68067658p-11, 0x1.578530e9963a4p-12, 0x1.da4e7d98d7365p-13, 0x1.4fecf218dd85ap-13},
    {0.0, -0x1.80ada4367fde3p-5, -0x1.2a734145c8622p-5, 0x1.6b5b53bb53048p-10, 0x1.1b772533bc055p-6,
     0x1.6aa985fcc8332p-7, 0x1.6401306bba45cp-9, -0x1.155691409ad44p-11, -0x1.c09348b1ea76cp-11,
     -0x1.237515611e6d4p-11, -0x1.497271d059d42p-12, -0x1.77aff29c05249p-13, -0x1.be49e15692ae9p-14,
     -0x1.141bfa5c82fa4p-14, -0x1.620059e8e15b2p-15, -0x1.d402b5cfa7b9fp-16},
    {-0x1.b82cd810bb9edp-6, -0x1.2571acf922a06p-7, 0x1.f00cc4de15659p-7, 0x1.be12eebd5168ap-7,
     0x1.3d68befa7ee09p-11, -0x1.1a61217aaa62ap-8, -0x1.49f607df786a1p-9, -0x1.1cec2806334e6p-11,
     0x1.7747a61497021p-14, 0x1.139e6e9e29aa5p-13, 0x1.4b0991860ef06p-14, 0x1.62f21133933fap-15,
     0x1.84683f0d8cf2bp-16, 0x1.bbd7435c09f55p-17, 0x1.0835e6a30e629p-17, 0x1.4603f95e793b0p-18},
    {0.0, 0x1.6778797b8e354p-7, 0x1.2fde015558e2dp-8, -0x1.25743961e398ap-8, -0x1.f744ba90f2526p-9,
     -0x1.54974aec14253p-14, 0x1.f47663e250f3fp-11, 0x1.df23545e318d0p-12, 0x1.435095d743e2ep-14,
     -0x1.13234f374489fp-16, -0x1.2bc86d7b3d1abp-16, -0x1.4966fdb7c40acp-17, -0x1.514dadc1d4d75p-18,
     -0x1.64abd71fae143p-19, -0x1.8a62c3afa3edbp-20, -0x1.c63429a8a0e36p-21},
    {0x1.5652bcd84ff2bp-8, 0x1.8233dd052abe9p-11, -0x1.eec931d1103ccp-9, -0x1.6d926b7b28a8bp-10,
     0x1.4e3a2fd52d47bp-10, 0x1.b9ddda2f6fe78p-11, -0x1.950b52711fa9ep-15, -0x1.7dbf991ef6806p-13,
     -0x1.1445c41f49b9fp-14, -0x1.fb2dd40106017p-18, 0x1.6bfec99d95ae2p-19, 0x1.1ed17f67517eap-19,
     0x1.223ebf1e7ea63p-20, 0x1.1e5cd39a5a070p-21, 0x1.265485a2c74e1p-22, 0x1.3c653d9f71b10p-23},
    {0.0, -0x1.074873d5fee17p-9, -0x1.aa67eb77ab413p-13, 0x1.287047f39886bp-10,
     0x1.0cdc25758cc55p-12, -0x1.571064d338f67p-12, -0x1.235ebe436cb79p-13, 0x1.a968292b7b770p-16,
     0x1.deb22765154dap-16, 0x1.f05ecb89a8e80p-18, 0x1.c456e3459ef85p-22, -0x1.8dda03f4fb4b1p-22,
     -0x1.e2cc952b489f6p-23, -0x1.c9fef73b44619p-24, -0x1.b72ed56a74732p-25,
     -0x1.b8cafe45e9d37p-26},
    {-0x1.b94a03b53e0b3p-11, 0x1.b74a962ff9e4cp-16, 0x1.4dfcb7441b59fp-11, -0x1.5d57c0661ddb2p-16,
     -0x1.2415a7979273fp-12, -0x1.1038e301802edp-16, 0x1.1cdc74444bcb5p-14, 0x1.0704e19301380p-16,
     -0x1.a3868072fd6bdp-18, -0x1.dcdfdc0284f03p-19, -0x1.57ed016d59426p-21, 0x1.3474ce05862fbp-28,
     0x1.6381931d3fd93p-25, 0x1.69b6fe9b9ce30p-26, 0x1.4864edfd2b395p-27, 0x1.340bdf08b8d25p-28},
    {0.0, 0x1.388a7e2aec2f7p-12, -0x1.cd36de46217b7p-15, -0x1.576be0ace7e8ep-13,
     0x1.3180ed07d02b4p-15, 0x1.c0096d058edbbp-15, -0x1.c72b86571c1b0p-18, -0x1.6c118550efba5p-17,
     -0x1.917056cba8cfbp-21, 0x1.17ac2b346a5c8p-20, 0x1.6f0e0ee8395aap-22, 0x1.4dcd369164586p-25,
     -0x1.31385ace4eba6p-28, -0x1.0cd86fb41053ap-28, -0x1.e632e54547ea4p-30,
     -0x1.acebd514f5c99p-31},
};

#define SL_BODY "math/erf_double_avx512_body.h"
#include "each_width.h"
