import { isOfFlatTops } from '#domain/catalog/measures.ts'
import { say } from '#words/say.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { SizeGuide, type SizeGuideProps } from './SizeGuide.tsx'

type Props = SizeGuideProps & { open: boolean; onClose: () => void }

export const SizeGuideDialog = ({ open, onClose, ...guide }: Props) => (
  <Dialog open={open} onClose={onClose} title={say('Size guide')}>
    {isOfFlatTops(guide.table) && <HowToMeasure />}
    <SizeGuide {...guide} />
  </Dialog>
)

const HowToMeasure = () => (
  <div className="mb-6 grid items-center gap-4 rounded-card bg-button-quiet p-4 sm:grid-cols-[10rem_1fr] sm:gap-5 sm:p-5">
    <svg viewBox="0 0 200 190" aria-hidden="true" fill="none" className="w-full max-sm:mx-auto max-sm:w-32">
      <path
        d="M70 12 42 22 10 64l28 22 16-14v106h92V72l16 14 28-22-32-42-28-10c-12 18-48 18-60 0Z"
        className="fill-surface stroke-ink"
        strokeWidth="2.5"
        strokeLinejoin="round"
      />
      <path
        d="M58 88h84M65 82l-7 6 7 6m70-12 7 6-7 6M131 22v152m-6-145 6-7 6 7m-12 138 6 7 6-7"
        className="stroke-accent"
        strokeWidth="2.5"
      />
      <text x="93" y="80" textAnchor="middle" fontSize="17" fontWeight="600" className="fill-ink">
        {say('Chest')}
      </text>
      <text x="123" y="150" textAnchor="end" fontSize="17" fontWeight="600" className="fill-ink">
        {say('Length')}
      </text>
    </svg>
    <p className="text-[0.9375rem]">
      <strong className="block font-semibold">{say('The surest way')}</strong>
      {say(
        'Lay a shirt that fits you flat. Measure its chest from armpit to armpit, and its length from the top of the shoulder to the hem. Between sizes? Size up.',
      )}
    </p>
  </div>
)
