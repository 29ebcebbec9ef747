import type { Fit } from '#domain/orders/fit.ts'

export const fitLabels: Readonly<Record<Fit, string>> = {
  small: 'Runs small',
  true: 'True to size',
  large: 'Runs large',
}
