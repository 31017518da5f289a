# SPDX-License-Identifier: Apache-2.0
include $(BR2_EXTERNAL_RIVULET_PATH)/package/rivulet/rivulet.mk
include $(BR2_EXTERNAL_RIVULET_PATH)/package/rivulet-tomlplusplus/rivulet-tomlplusplus.mk
include $(BR2_EXTERNAL_RIVULET_PATH)/package/rivulet-firmware/rivulet-firmware.mk
