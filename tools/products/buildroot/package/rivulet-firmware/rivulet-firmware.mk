################################################################################
#
# rivulet-firmware
#
# SPDX-License-Identifier: Apache-2.0
################################################################################

RIVULET_FIRMWARE_VERSION = $(RIVULET_VERSION)
RIVULET_FIRMWARE_SITE ?= $(RIVULET_SITE)
RIVULET_FIRMWARE_SOURCE = $(RIVULET_SOURCE)
RIVULET_FIRMWARE_LICENSE = Apache-2.0, BSD-3-Clause (newlib)
RIVULET_FIRMWARE_LICENSE_FILES = LICENSES/Apache-2.0.txt
# Firmware is built by clang for the device; the programs that generate its headers run here.
RIVULET_FIRMWARE_DEPENDENCIES = $(BR2_CMAKE_HOST_DEPENDENCY) host-ninja host-clang host-lld host-llvm \
	host-dtc host-python3
RIVULET_FIRMWARE_OPTS = \
	-DCMAKE_BUILD_TYPE=Release \
	-DCMAKE_C_COMPILER=$(firstword $(HOSTCC)) \
	-DCMAKE_CXX_COMPILER=$(firstword $(HOSTCXX)) \
	-DCMAKE_PREFIX_PATH=$(HOST_DIR) \
	-DBUILD_TESTING=OFF \
	-DRIVULET_HOST=OFF \
	-DRIVULET_COMPILER=OFF \
	-DRIVULET_STATIC=OFF \
	-DRIVULET_CLANG=$(HOST_DIR)/bin/clang \
	-DRIVULET_LLVM_TOOLS=$(HOST_DIR)/bin \
	-DRIVULET_NEWLIB_SOURCE=$(call qstrip,$(BR2_PACKAGE_RIVULET_FIRMWARE_NEWLIB)) \
	"-DRIVULET_BOARDS=$(call qstrip,$(BR2_PACKAGE_RIVULET_FIRMWARE_BOARDS))"

define RIVULET_FIRMWARE_CONFIGURE_CMDS
	$(HOST_MAKE_ENV) $(BR2_CMAKE) -S $(@D) -B $(@D)/build/firmware -G Ninja $(RIVULET_FIRMWARE_OPTS)
endef

define RIVULET_FIRMWARE_BUILD_CMDS
	$(HOST_MAKE_ENV) $(HOST_DIR)/bin/ninja -C $(@D)/build/firmware
endef

define RIVULET_FIRMWARE_INSTALL_TARGET_CMDS
	$(INSTALL) -d $(TARGET_DIR)/usr/lib/rivulet
	cp -a $(@D)/build/firmware/lib/rivulet/firmware $(@D)/build/firmware/lib/rivulet/boards \
		$(TARGET_DIR)/usr/lib/rivulet/
endef

$(eval $(generic-package))
