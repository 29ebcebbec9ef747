import type { Fit } from '#domain/reviews/review.ts'

export const fitLabels: Readonly<Record<Fit, string>> = {
  small: 'Runs small',
  true: 'True to size',
  large: 'Runs large',
}
