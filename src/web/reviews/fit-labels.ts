import type { Fit } from '#domain/orders/fit.ts'
import type { Word } from '#words/words.ts'

export const fitLabels = {
  small: 'Runs small',
  true: 'True to size',
  large: 'Runs large',
} as const satisfies Record<Fit, Word>
