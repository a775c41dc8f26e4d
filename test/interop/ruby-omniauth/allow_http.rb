# Only for tests on loopback: the library otherwise replaces http with https in the issuer's address.
require 'swd'

SWD.url_builder = URI::HTTP
