/**
 * A passkey proves possession of its key (`pop`) and the presence of the user (`user`). The
 * authenticator has also verified the user, with a fingerprint, a face or a PIN, which makes two
 * factors (`mfa`). Without attestation, nobody knows which of these it was, or whether the key is
 * in hardware.
 */
export const PASSKEY_METHODS: readonly string[] = ['pop', 'user', 'mfa']
