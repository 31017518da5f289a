# rivulet.mk has the version that the others take.
include $(BR2_EXTERNAL_RIVULET_PATH)/package/rivulet/rivulet.mk
include $(BR2_EXTERNAL_RIVULET_PATH)/package/rivulet-tomlplusplus/rivulet-tomlplusplus.mk
include $(BR2_EXTERNAL_RIVULET_PATH)/package/rivulet-firmware/rivulet-firmware.mk

# host-clang compiles for the device, and host-llvm has the target's backend alone.
ifneq ($(BR2_PACKAGE_RIVULET)$(BR2_PACKAGE_RIVULET_FIRMWARE),)
ifeq ($(filter RISCV,$(LLVM_TARGETS_TO_BUILD)),)
LLVM_TARGETS_TO_BUILD += RISCV
endif
endif
