################################################################################
#
# rivulet-firmware
#
################################################################################

RIVULET_FIRMWARE_VERSION = $(RIVULET_VERSION)
RIVULET_FIRMWARE_SITE ?= $(RIVULET_SITE)
RIVULET_FIRMWARE_SOURCE = $(RIVULET_SOURCE)
RIVULET_FIRMWARE_DL_SUBDIR = rivulet
RIVULET_FIRMWARE_LICENSE = Apache-2.0, BSD-3-Clause (newlib)
RIVULET_FIRMWARE_LICENSE_FILES = LICENSES/Apache-2.0.txt
RIVULET_FIRMWARE_DEPENDENCIES = \
	$(RIVULET_LLVM_DEPENDENCIES) \
	$(BR2_CMAKE_HOST_DEPENDENCY) \
	$(BR2_PYTHON3_HOST_DEPENDENCY) \
	host-dtc \
	host-ninja

# Firmware is compiled for the device, so nothing is needed of the target. The
# program that makes headers of device trees runs on the build machine.
RIVULET_FIRMWARE_OPTS = \
	-DCMAKE_BUILD_TYPE=Release \
	-DCMAKE_INSTALL_PREFIX=/usr \
	-DCMAKE_C_COMPILER=$(firstword $(HOSTCC)) \
	-DCMAKE_CXX_COMPILER=$(firstword $(HOSTCXX)) \
	-DCMAKE_EXE_LINKER_FLAGS="$(HOST_LDFLAGS)" \
	-DCMAKE_PREFIX_PATH=$(HOST_DIR) \
	-DLIBFDT_INCLUDE=$(HOST_DIR)/include/libfdt \
	-DLIBFDT_LIBRARY=$(HOST_DIR)/lib/libfdt.so \
	-DRIVULET_DTC=$(HOST_DIR)/bin/dtc \
	-DBUILD_TESTING=OFF \
	-DRIVULET_HOST=OFF \
	-DRIVULET_COMPILER=OFF \
	-DRIVULET_STATIC=OFF \
	-DRIVULET_CLANG=$(RIVULET_CLANG) \
	-DRIVULET_LLVM_TOOLS=$(RIVULET_LLVM_TOOLS) \
	-DRIVULET_NEWLIB_SOURCE=$(BR2_PACKAGE_RIVULET_FIRMWARE_NEWLIB) \
	-DRIVULET_BOARD_NAMES=$(BR2_PACKAGE_RIVULET_FIRMWARE_BOARD_NAMES) \
	-DRIVULET_BOARDS=$(BR2_PACKAGE_RIVULET_FIRMWARE_BOARDS)

define RIVULET_FIRMWARE_CONFIGURE_CMDS
	$(HOST_MAKE_ENV) $(BR2_CMAKE) -S $(@D) -B $(@D)/build/firmware -G Ninja \
		-DRIVULET_CACHE_DIR=$(@D)/build/cache $(RIVULET_FIRMWARE_OPTS)
endef

define RIVULET_FIRMWARE_BUILD_CMDS
	$(HOST_MAKE_ENV) $(HOST_DIR)/bin/ninja -C $(@D)/build/firmware
endef

define RIVULET_FIRMWARE_INSTALL_TARGET_CMDS
	$(HOST_MAKE_ENV) DESTDIR=$(TARGET_DIR) $(BR2_CMAKE) --install $(@D)/build/firmware
endef

$(eval $(generic-package))
