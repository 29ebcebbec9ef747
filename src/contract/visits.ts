import * as z from 'zod/mini'
import { reportedSteps } from '#domain/visits/visits.ts'

/** More than a page can report at once. */
const STEPS_MAX = 20

export const VisitReport = z.object({
  steps: z
    .array(
      z.object({
        step: z.enum(reportedSteps),
        /** The product's or variant's id; 0 for none. */
        about: z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER)),
      }),
    )
    .check(z.maxLength(STEPS_MAX)),
  /** The referrer's host, for a visit; empty without one. */
  from: z.string().check(z.maxLength(253)),
})
export type VisitReport = z.output<typeof VisitReport>
