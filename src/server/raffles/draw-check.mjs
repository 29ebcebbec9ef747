// Checks the draw of a raffle: in the browser on the raffle's page, or with Node:
//
//   node draw-check.mjs draw.json [your code] [your email]
//
// draw.json is the raffle's file. To check the beacon's signature, too, run `npm install @noble/curves` in the same folder first.
// Compare beacon, public key and round with those that were announced, and with https://docs.drand.love.

const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
const hash = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
const sha256 = async (text) => hexOf(await hash(new TextEncoder().encode(text)))

/**
 * @param draw the raffle's file
 * @param bls `bls12_381` of @noble/curves; without it, the signature is not checked
 * @returns what was found. `winners` are commitments in the order in which they win
 */
export async function checkDraw({ beacon, entries, entriesHash, winners }, bls) {
  // 1. The entries are those that were published before the randomness existed.
  const sorted = [...entries].sort((a, b) => (a < b ? -1 : 1))
  const computedHash = await sha256(sorted.map((entry) => `${entry}\n`).join(''))

  // 2. The randomness is that of the announced round, which nobody could know before: the hash of a signature of its number.
  const randomness = hexOf(await hash(bytesOf(beacon.signature)))
  const isSigned = bls ? await isSignedBy(bls, beacon) : undefined

  // 3. The winner is the entry with the smallest ticket. If the prize is not claimed, it is the next one.
  const tickets = []
  for (const entry of sorted) tickets.push({ entry, ticket: await sha256(`${randomness}:${computedHash}:${entry}`) })
  tickets.sort((a, b) => (a.ticket < b.ticket ? -1 : 1))
  const order = tickets.map(({ entry }) => entry)

  return {
    isSameEntries: computedHash === entriesHash,
    isSigned,
    isSameRandomness: randomness === beacon.randomness,
    isSameWinner: winners.every((winner, place) => winner === order[place]),
    winners: order.slice(0, Math.max(1, winners.length)),
    entriesHash: computedHash,
    randomness,
  }
}

/** drand's scheme bls-unchained-g1-rfc9380: a short signature on BLS12-381 of the round's number. */
async function isSignedBy(bls, { round, signature, publicKey }) {
  const number = new DataView(new ArrayBuffer(8))
  number.setBigUint64(0, BigInt(round))
  const point = bls.shortSignatures.hash(await hash(number.buffer), 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_')
  try {
    return bls.shortSignatures.verify(bls.shortSignatures.Signature.fromHex(signature), point, bytesOf(publicKey))
  } catch {
    return false
  }
}

/** Whether an entry is among them: its code is in the email that confirmed it. */
export const entryOf = (code, email) => sha256(`${code.trim()}:${email.trim().toLowerCase()}`)

if (globalThis.process?.argv?.[1]?.endsWith('draw-check.mjs')) {
  const { readFile } = await import('node:fs/promises')
  const [file, code, email] = process.argv.slice(2)
  const draw = JSON.parse(await readFile(file, 'utf8'))
  const { bls12_381: bls } = await import('@noble/curves/bls12-381.js').catch(() => ({}))
  const found = await checkDraw(draw, bls)
  console.log(JSON.stringify(found, null, 2))
  if (code && email)
    console.log(draw.entries.includes(await entryOf(code, email)) ? 'Your entry is in.' : 'No such entry.')
  process.exitCode =
    found.isSameEntries && found.isSameRandomness && found.isSameWinner && found.isSigned !== false ? 0 : 1
}
