// SQLPad encrypts the passwords of its connections by two functions that Node 22 no longer has. It is started with this.
const crypto = require('node:crypto')

const keyAndStart = (passphrase) => [
  crypto.createHash('sha256').update(passphrase).digest(),
  Buffer.alloc(16),
]

crypto.createCipher ??= (_, passphrase) => crypto.createCipheriv('aes-256-cbc', ...keyAndStart(passphrase))
crypto.createDecipher ??= (_, passphrase) =>
  crypto.createDecipheriv('aes-256-cbc', ...keyAndStart(passphrase))
