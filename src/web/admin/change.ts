const share = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0 })

/** Beyond it the percentage says nothing but "much more". */
const SHARE_MAX = 9.99

/** How a figure differs from the one before; undefined where a percentage would mean nothing. */
export function changeOf(now: number, before: number): { isUp: boolean; share: string } | undefined {
  if (before <= 0 || now === before) return undefined
  const difference = Math.abs(now / before - 1)
  return {
    isUp: now > before,
    share: difference > SHARE_MAX ? `>${share.format(SHARE_MAX)}` : share.format(difference),
  }
}
