import * as z from 'zod/mini'
import type { FoundBelowFloor } from '#domain/catalog/margin-floor.ts'

/** Of a call that is refused as `below_floor`: sent again with it, the owner has read the refusal and said yes. */
export const Acceptance = z.object({ accepted: z.optional(z.literal('1')) })
export type Acceptance = z.output<typeof Acceptance>

export const isAccepted = ({ accepted }: Acceptance): boolean => accepted !== undefined

/** The `summary` of a refusal `below_floor`: the worst sale of each product, the worst first; `more` products are left out. */
export type BelowFloor = Pick<FoundBelowFloor, 'floor' | 'products' | 'together'> & { more: number }
