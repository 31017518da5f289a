################################################################################
#
# rivulet
#
# SPDX-License-Identifier: Apache-2.0
################################################################################

# A working copy: set RIVULET_OVERRIDE_SRCDIR in local.mk, or RIVULET_SITE to an archive's address.
RIVULET_VERSION = 0.1.0
RIVULET_SITE ?= https://rivulet.invalid/releases
RIVULET_SOURCE = rivulet-$(RIVULET_VERSION)-source.tar.xz
RIVULET_LICENSE = Apache-2.0
RIVULET_LICENSE_FILES = LICENSES/Apache-2.0.txt
RIVULET_DEPENDENCIES = host-clang host-lld host-llvm host-pkgconf cli11 dtc json-for-modern-cpp libpng opencl-headers \
	opencl-icd-loader openssl rivulet-tomlplusplus xxhash zlib
RIVULET_CONF_OPTS = \
	-DBUILD_TESTING=OFF \
	-DRIVULET_COMPILER=OFF \
	-DRIVULET_FIRMWARE=OFF \
	-DRIVULET_STATIC=OFF \
	-DRIVULET_CLANG=$(HOST_DIR)/bin/clang \
	-DRIVULET_LLVM_TOOLS=$(HOST_DIR)/bin

$(eval $(cmake-package))
