################################################################################
#
# rivulet-tomlplusplus
#
################################################################################

# Headers, of which Buildroot itself has no package.
RIVULET_TOMLPLUSPLUS_VERSION = 3.4.0
RIVULET_TOMLPLUSPLUS_SITE = $(call github,marzer,tomlplusplus,v$(RIVULET_TOMLPLUSPLUS_VERSION))
RIVULET_TOMLPLUSPLUS_LICENSE = MIT
RIVULET_TOMLPLUSPLUS_LICENSE_FILES = LICENSE
RIVULET_TOMLPLUSPLUS_INSTALL_STAGING = YES
RIVULET_TOMLPLUSPLUS_INSTALL_TARGET = NO

$(eval $(cmake-package))
