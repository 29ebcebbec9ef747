import { createHash, randomBytes } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import type { Answer, Call, Kit, Provider } from '#sandbox/kit/types.ts'

const PERIOD_S = 3
const DOMAIN = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

/**
 * drand's HTTP API with one network of its own: real signatures under a new key, rounds by the sandbox's clock. A round that is not due
 * answers 425, as the real one does.
 */
export async function startDrand(
  kit: Kit,
  { port }: { port: number },
): Promise<Provider & { beacon: { chainHash: string; publicKey: string; genesisTime: number; period: number } }> {
  const { shortSignatures: bls } = bls12_381
  const { secretKey, publicKey } = bls.keygen(randomBytes(48))
  const genesisTime = Math.floor(kit.clock.now().getTime() / 1000) - PERIOD_S
  const beacon = {
    chainHash: sha256(publicKey.toBytes()).toString('hex'),
    publicKey: publicKey.toHex(),
    genesisTime,
    period: PERIOD_S,
  }
  const lastRound = () => Math.floor((kit.clock.now().getTime() / 1000 - genesisTime) / PERIOD_S) + 1

  function sign(round: number) {
    const number = Buffer.alloc(8)
    number.writeBigUInt64BE(BigInt(round))
    const signature = bls.sign(bls.hash(sha256(number), DOMAIN), secretKey).toHex()
    return { round, randomness: sha256(Buffer.from(signature, 'hex')).toString('hex'), signature }
  }

  const handle = ({ method, path }: Call): Answer => {
    const [, chain, name, wanted = ''] = path.split('/')
    if (method !== 'GET' || chain !== beacon.chainHash) return { status: 404, body: { error: 'unknown chain' } }
    if (name === 'info')
      return {
        status: 200,
        body: {
          public_key: beacon.publicKey,
          period: PERIOD_S,
          genesis_time: genesisTime,
          hash: beacon.chainHash,
          groupHash: beacon.chainHash,
          schemeID: 'bls-unchained-g1-rfc9380',
          metadata: { beaconID: 'sandbox' },
        },
      }
    if (name !== 'public') return kit.notSimulated({ status: 404, body: {} })
    const round = wanted === 'latest' ? lastRound() : Number(wanted)
    if (!Number.isSafeInteger(round) || round < 1) return { status: 400, body: { error: 'invalid round' } }
    return round > lastRound() ? { status: 425, body: { error: 'too early' } } : { status: 200, body: sign(round) }
  }

  const { url, close } = await kit.serve('drand', port, handle)
  return {
    name: 'drand',
    url,
    beacon,
    ledger: () => ({}),
    change: () => Promise.reject(new Error('The beacon has no changes.')),
    save: () => undefined,
    load: () => undefined,
    reset: () => undefined,
    close,
  }
}
