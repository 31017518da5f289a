################################################################################
#
# rivulet
#
################################################################################

# A working copy: set RIVULET_OVERRIDE_SRCDIR in local.mk, or RIVULET_SITE to an
# archive's address.
RIVULET_VERSION = 0.2.0
RIVULET_SITE ?= https://rivulet.invalid/releases
RIVULET_SOURCE = rivulet-$(RIVULET_VERSION)-source.tar.xz
RIVULET_LICENSE = Apache-2.0
RIVULET_LICENSE_FILES = LICENSES/Apache-2.0.txt
RIVULET_INSTALL_STAGING = YES
RIVULET_PROVIDES = libopencl
RIVULET_DEPENDENCIES = \
	$(RIVULET_LLVM_DEPENDENCIES) \
	$(BR2_PYTHON3_HOST_DEPENDENCY) \
	cli11 \
	json-for-modern-cpp \
	opencl-headers \
	opencl-icd-loader \
	rivulet-tomlplusplus \
	xxhash

ifeq ($(call qstrip,$(BR2_PACKAGE_RIVULET_LLVM)),)
# clang itself: Buildroot's wrapper of it passes flags of the target, and this
# clang compiles for the device.
RIVULET_CLANG = $(HOST_DIR)/bin/clang.br_real
RIVULET_LLVM_TOOLS = $(HOST_DIR)/bin
RIVULET_LLVM_DEPENDENCIES += host-clang host-lld host-llvm
else
RIVULET_CLANG = $(RIVULET_LLVM_TOOLS)/clang
RIVULET_LLVM_TOOLS = $(call qstrip,$(BR2_PACKAGE_RIVULET_LLVM))
endif

RIVULET_CONF_OPTS = \
	-DBUILD_TESTING=OFF \
	-DRIVULET_COMPILER=OFF \
	-DRIVULET_FIRMWARE=OFF \
	-DRIVULET_STATIC=OFF \
	-DRIVULET_LICENCE_TEXTS=$(@D)/LICENSES \
	-DRIVULET_CLANG=$(RIVULET_CLANG) \
	-DRIVULET_LLVM_TOOLS=$(RIVULET_LLVM_TOOLS)

ifeq ($(BR2_PACKAGE_DTC),y)
RIVULET_DEPENDENCIES += dtc
endif

$(eval $(cmake-package))
