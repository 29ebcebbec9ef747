import { z } from 'zod'

import type { Rule } from '../kit/types.ts'
import type { WebhookOrder } from '../kit/webhooks.ts'

/** The bodies of control calls. Anything else is refused: a misspelled rule must not look like one that never fired. */

const provider = z.enum(['stripe', 'paypal', 'printful', 'smtp'])
const count = z.number().int().nonnegative()

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export const clockRequest = z.strictObject({
  advance: z
    .string()
    .regex(/^\d+(\.\d+)?[smhd]$/, 'must be a time such as 30s, 5m, 7h or 2d')
    .transform((text) => Number(text.slice(0, -1)) * (unitMs[text.slice(-1)] ?? 0)),
})

export const ruleRequest = z.strictObject({
  provider,
  match: z
    .strictObject({
      method: z.string().exactOptional(),
      path: z.string().exactOptional(),
      external_id: z.string().exactOptional(),
      nth: z.number().int().positive().exactOptional(),
      body: z.string().exactOptional(),
    })
    .default({}),
  when: z.enum(['before', 'after']),
  do: z.union([
    z.enum(['reset', 'hang', 'truncate']),
    z.strictObject({
      status: z.number().int().min(200).max(599).exactOptional(),
      body: z.unknown().exactOptional(),
      headers: z.record(z.string(), z.string()).exactOptional(),
      delayMs: count.exactOptional(),
    }),
  ]),
  times: z.number().int().positive().exactOptional(),
}) satisfies z.ZodType<Rule>

export const chaosRequest = z.strictObject({ seed: z.number().int(), rate: z.number().min(0).max(1) })

export const webhookRequest = z.strictObject({
  provider: provider.exactOptional(),
  type: z.string().exactOptional(),
  drop: count.exactOptional(),
  duplicate: count.exactOptional(),
  delayMs: count.exactOptional(),
  hold: z.boolean().exactOptional(),
  release: z.boolean().exactOptional(),
  shuffle: z.boolean().exactOptional(),
  sign: z.enum(['good', 'bad', 'old', 'other-secret', 'none']).exactOptional(),
  body: z.literal('mutate').exactOptional(),
}) satisfies z.ZodType<WebhookOrder & { release?: boolean }>

export const worldRequest = z.looseObject({ provider })

export const replyRequest = z.strictObject({ words: z.string().min(1) })
