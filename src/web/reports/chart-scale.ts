import { cents, type Cents } from '#shared/money.ts'

/** The next amount of a round form: 1, 2 or 5 with noughts. At least a dollar, so that nothing sold has a scale, too. */
export function roundAbove(amount: Cents): Cents {
  for (let unit = 100; ; unit *= 10)
    for (const digit of [1, 2, 5]) if (digit * unit >= amount) return cents(digit * unit)
}
