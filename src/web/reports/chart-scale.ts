import { cents, type Cents } from '#shared/money.ts'

/** The next 1, 2 or 5 followed by zeros. At least a dollar, so that a chart without sales has a scale too. */
export function chartMaximumFor(amount: Cents): Cents {
  for (let unit = 100; ; unit *= 10)
    for (const digit of [1, 2, 5]) if (digit * unit >= amount) return cents(digit * unit)
}
