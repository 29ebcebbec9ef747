import { createHash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import * as z from 'zod/mini'
import type { Beacon } from '#domain/raffles/raffle.ts'
import type { Config } from '#server/config/config.ts'
import { ProviderRefusal, ProviderUnavailable, UnusableResponse } from '#server/providers/provider-errors.ts'
import { SECOND_MS } from '#shared/time.ts'

const TIMEOUT_MS = 8 * SECOND_MS

/** RFC 9380's name for the scheme `bls-unchained-g1-rfc9380`. */
const DOMAIN = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'

const hex = z.string().check(z.regex(/^(?:[0-9a-f]{2})+$/), z.maxLength(400))
const Round = z.object({ round: z.int(), signature: hex })
const Info = z.object({ public_key: hex, period: z.int(), genesis_time: z.int(), hash: hex })

/** @property randomness SHA-256 of the signature, hex */
export type BeaconRound = { round: number; signature: string; randomness: string }

export type Drand = ReturnType<typeof createDrand>

/** Public randomness over HTTP (https://docs.drand.love/developer/http-api). Nothing that it answers is believed without its signature. */
export function createDrand({ drand: { apiBase, ...beacon } }: Pick<Config, 'drand'>) {
  async function read<Shape extends z.ZodMiniType>(path: string, shape: Shape): Promise<z.output<Shape>> {
    const answer = await fetch(`${apiBase}${path}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new ProviderUnavailable('drand', error)
    })
    if (!answer.ok) throw new ProviderUnavailable('drand', new Error(`status ${answer.status}`))
    const answered = z.safeParse(shape, await answer.json().catch(() => undefined))
    if (!answered.success) throw new UnusableResponse('drand', 'another shape')
    return answered.data
  }
  return {
    /** The network that new raffles announce. */
    beacon: beacon satisfies Beacon,
    /**
     * A round with a genuine signature.
     * @throws ProviderUnavailable not published yet, or no answer
     * @throws ProviderRefusal the signature is not the network's
     */
    async readRound({ chainHash, publicKey }: Beacon, round: number): Promise<BeaconRound> {
      const found = await read(`/${chainHash}/public/${round}`, Round)
      if (found.round !== round || !isGenuine(publicKey, round, found.signature))
        throw new ProviderRefusal('drand', `The signature of round ${round} is not the network’s.`, 'forged')
      return { round, signature: found.signature, randomness: randomnessOf(found.signature) }
    },
    /** Whether the network that the settings name answers, and is that network. */
    async describe(): Promise<{ isSame: boolean }> {
      const info = await read(`/${beacon.chainHash}/info`, Info)
      return {
        isSame:
          info.hash === beacon.chainHash &&
          info.public_key === beacon.publicKey &&
          info.period === beacon.period &&
          info.genesis_time === beacon.genesisTime,
      }
    },
  }
}

const randomnessOf = (signature: string): string =>
  createHash('sha256').update(Buffer.from(signature, 'hex')).digest('hex')

/** Whether the owner of a public key signed the number of a round. */
export function isGenuine(publicKey: string, round: number, signature: string): boolean {
  const { shortSignatures: bls } = bls12_381
  try {
    return bls.verify(bls.Signature.fromHex(signature), pointOf(round), Buffer.from(publicKey, 'hex'))
  } catch {
    // Not a point of the curve.
    return false
  }
}

function pointOf(round: number) {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(round))
  return bls12_381.shortSignatures.hash(createHash('sha256').update(number).digest(), DOMAIN)
}
