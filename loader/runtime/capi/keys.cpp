// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/capi/ll_aton_keys.h"

#include "loader/runtime/capi/cortex_m.h"
#include "loader/runtime/npu_cipher.h"
#include "loader/runtime/npu_driver.h"

/// The documented names of what encrypted weights need of the NPU's registers.

namespace {

namespace npu = n6vp::runtime::npu;

npu::Cipher cipher_of(const LL_Streng_EncryptionTypedef& from) {
    return {from.enable != 0, from.encryption_id, from.rounds, from.key_sel, from.increment};
}

bool exists(int id, std::uint32_t count) {
    return id >= 0 && static_cast<std::uint32_t>(id) < count;
}

}  // namespace

int LL_Busif_SetKeys(int id, int key, uint64_t key_low, uint64_t key_hi) {
    if (!exists(id, npu::kInterfaces) || !exists(key, npu::kKeys)) return LL_ATON_INVALID_ID;
    n6vp::runtime::cortex_m::read_profile();
    npu::set_key(static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(key), key_low, key_hi);
    return LL_ATON_OK;
}

int LL_Streng_EncryptionInit(int id, LL_Streng_EncryptionTypedef* encryption) {
    if (!exists(id, npu::kEngines)) return LL_ATON_INVALID_ID;
    n6vp::runtime::cortex_m::read_profile();
    npu::set_engine_cipher(static_cast<std::uint32_t>(id), cipher_of(*encryption));
    return LL_ATON_OK;
}

int LL_Streng_WeightEncryptionInit(int id) {
    LL_Streng_EncryptionTypedef encryption = {};
    encryption.enable = 1;
    return LL_Streng_EncryptionInit(id, &encryption);
}

int LL_EpochCtrl_EncryptionInit(int id, LL_Streng_EncryptionTypedef* conf) {
    if (!exists(id, 1)) return LL_ATON_INVALID_ID;
    n6vp::runtime::cortex_m::read_profile();
    npu::set_controller_cipher(cipher_of(*conf));
    return LL_ATON_OK;
}
