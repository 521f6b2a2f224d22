/* SPDX-License-Identifier: Apache-2.0 */
/*
 * erfc of double for AVX-512: one form for the whole range, no branches and one division.
 */
#include "table.h"
#pragma OPENCL FP_CONTRACT ON

#include "lane.h"

/* Row k has what r^k is multiplied by, for each of 16 parts of the range, the last one first:
 * interpolated in Chebyshev's points, relative error 2^-53. */
constant double sl_erfc_quotient[9][16] __attribute__((aligned(64))) = {
    {0x1p+1, 0x1.33f3abfd60d6fp-1, 0x1.494bb2ce2924fp-1, 0x1.6134904b3b2ffp-1, 0x1.7c0348489d721p-1,
     0x1.9a106de52a9d2p-1, 0x1.bbb4b72bf870bp-1, 0x1.e144d0fea7ee3p-1, 0x1.058671b52c776p+0,
     0x1.1ca626f62100ap+0, 0x1.36190cd3465edp+0, 0x1.51ed3dc1ac86ep+0, 0x1.7026c7fe254efp+0,
     0x1.90bfa5f8bf9d2p+0, 0x1.b3a83d7d7273ep+0, 0x1.d8c847a026286p+0},
    {0x1.41baea08536dap+2, 0x1.42a88fa098aedp+0, 0x1.692b65ea1e7c7p+0, 0x1.94d3a4896e79ap+0,
     0x1.c5f07a44ccb93p+0, 0x1.fca1eab06817dp+0, 0x1.1c65214e6445fp+1, 0x1.3d029aa65761p+1,
     0x1.5fd386754effbp+1, 0x1.84622e56cd407p+1, 0x1.aa20544af2b69p+1, 0x1.d0709b5be696ap+1,
     0x1.f6b07a45b2609p+1, 0x1.0e20b558bc3e9p+2, 0x1.20483b553413dp+2, 0x1.318ddd71236acp+2},
    {0x1.f228afbd6494bp+1, 0x1.2097c2f7e9c27p+1, 0x1.4829f8477e04fp+1, 0x1.72c5cfb4a41a2p+1,
     0x1.9f343e53abedcp+1, 0x1.cbbc6aaf6fa8bp+1, 0x1.f643762c5c40dp+1, 0x1.0e42d9bbc24fdp+2,
     0x1.1e2deea6b116p+2, 0x1.29fd9e72667afp+2, 0x1.31119579261b2p+2, 0x1.3318e6d352346p+2,
     0x1.3010a646cc511p+2, 0x1.2839b1bc9634bp+2, 0x1.1c096ae73227ap+2, 0x1.0c18cb6f7059ap+2},
    {-0x1.b1913931356cap+1, 0x1.92fb378f9de43p+1, 0x1.b7fa459b911bfp+1, 0x1.d2d91ac505519p+1,
     0x1.ddeff785674b9p+1, 0x1.d44b327aa90bdp+1, 0x1.b2e2737e4456fp+1, 0x1.796d85197cc8p+1,
     0x1.2a88e6105b42fp+1, 0x1.9658146494367p+0, 0x1.86cd90aee8953p-1, -0x1.658c92c9acc79p-4,
     -0x1.d51dceb8fe282p-1, -0x1.af1e45d1e5c64p+0, -0x1.2e56f99bca0a1p+1, -0x1.7759509c6a466p+1},
    {-0x1.960132469eda2p+1, 0x1.41e7d30e1230cp+1, 0x1.06fa2696eb772p+1, 0x1.3e805dc7a47a3p+0,
     0x1.6cebfc926efecp-4, -0x1.53b99fd0bee93p+0, -0x1.6d142bed5552dp+1, -0x1.1355cdec2528bp+2,
     -0x1.606e41540eb93p+2, -0x1.9628687f5dfcfp+2, -0x1.b1150ab334d73p+2, -0x1.b1c2173bfb207p+2,
     -0x1.9bb2d8d26714fp+2, -0x1.74178e690ffep+2, -0x1.40a61fbbc0677p+2, -0x1.06c2d15228b49p+2},
    {0x1.7c4fbd63a8efbp+2, -0x1.ebcf40f534f3ep+0, -0x1.02295c929d872p+2, -0x1.957812c1b2ebcp+2,
     -0x1.0b7cceb03c0c8p+3, -0x1.333d0ba67ae6ap+3, -0x1.36ff8d2611133p+3, -0x1.14f5518e7ee73p+3,
     -0x1.a89eac23de084p+2, -0x1.0375789f9221cp+2, -0x1.578874b6229bap+0, 0x1.255c9e02cd459p+0,
     0x1.96b8ece0182d3p+1, 0x1.296bf6905a03ap+2, 0x1.633f1027930d3p+2, 0x1.7cd194a56f003p+2},
    {-0x1.e1151327463b4p-1, -0x1.44e9e69d0cf5cp+3, -0x1.83e745739b56p+3, -0x1.80004a116b76cp+3,
     -0x1.23c5bb195e7ebp+3, -0x1.e8519a453b18dp+1, 0x1.4e343848c12dp+1, 0x1.10cd68d91c686p+3,
     0x1.95179b8664c6bp+3, 0x1.cf41d941d0ce6p+3, 0x1.c438d742e3141p+3, 0x1.865f219659166p+3,
     0x1.2c2600f6c5049p+3, 0x1.92fa2d489e581p+2, 0x1.b318422caee24p+1, 0x1.e6cf45c57ca7bp-1},
    {-0x1.d528d9e442151p+2, -0x1.87ca4f7d2e5e2p+3, -0x1.3e832007eb80ep+2, 0x1.acdb912ebc93fp+2,
     0x1.35cd30ec4f3a8p+4, 0x1.bfc7d10e753fep+4, 0x1.d5837079b292fp+4, 0x1.7a47102379e6p+4,
     0x1.b6d33178c6a14p+3, 0x1.87350891c51dp+1, -0x1.6d3fc3fe6a16cp+2, -0x1.6ba9577844476p+3,
     -0x1.bc672d753d49ep+3, -0x1.bda0cbb8e88ddp+3, -0x1.8b1eed2cc96a7p+3, -0x1.3e6b2694d9bfdp+3},
    {0x1.4ef738eb18ac7p+3, 0x1.75d5d40f27103p+4, 0x1.369e61c79d5fap+5, 0x1.a03ebca7371bep+5,
     0x1.6de4ee26d6bc8p+5, 0x1.505d732d309dbp+4, -0x1.3e78473a23534p+3, -0x1.0d4f912668738p+5,
     -0x1.5af9f234789f8p+5, -0x1.41189285c6cfbp+5, -0x1.d325bd4a74d12p+4, -0x1.014b6cb4f3832p+4,
     -0x1.23e49ce3e1213p+2, 0x1.d5716e3cdc428p+1, 0x1.0dbd751879edep+3, 0x1.4b46c7a6d03f4p+3},
};

#define SL_BODY "math/erfc_double_avx512_body.h"
#include "each_width.h"
