import type { ClaimLine } from '#contract/claims.ts'
import { fitNames } from '#domain/claims/claim.ts'
import { fits, type Fit } from '#domain/orders/fit.ts'
import { say } from '#words/say.ts'
import { Select } from '#web/ui/Select.tsx'

const options = () => [
  { value: '', label: say('I’d rather not say') },
  ...fits.map((value) => ({ value, label: say(fitNames[value]) })),
]

export const fitIn = (typed: string | undefined): Fit | null => fits.find((fit) => fit === typed) ?? null

/** Asked of what is worn. */
export const FitSelect = ({ lines }: { lines: readonly ClaimLine[] }) =>
  lines.some(({ isWorn }) => isWorn) && (
    <Select label={say('How does it fit? (optional)')} name="fit" className="max-w-72" options={options()} />
  )
