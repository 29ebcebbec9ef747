import type { Specs } from '#contract/catalog.ts'
import { formatMeasure } from '#domain/catalog/measures.ts'
import { sayKnown } from '#words/say.ts'
import { classNames } from '#web/ui/class-names.ts'

export type SizeGuideProps = Pick<Specs, 'sizeLabel'> & { table: NonNullable<Specs['sizeTable']> }

export const SizeGuide = ({ sizeLabel, table: { caption, measures, rows } }: SizeGuideProps) => (
  <div className="overflow-x-auto">
    <table className="w-full min-w-72 text-left">
      <caption className="mb-3 text-left text-sm">{sayKnown(caption)}</caption>
      <thead>
        <tr className="border-b border-line text-ink">
          <th scope="col" className="py-2 pr-3 font-medium">
            {sayKnown(sizeLabel)}
          </th>
          {measures.map((measure, index) => (
            <th
              key={measure}
              scope="col"
              className={classNames('py-2 font-medium', index < measures.length - 1 && 'pr-3')}
            >
              {sayKnown(measure)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ size, values }) => (
          <tr key={size} className="border-b border-line/60 last:border-0">
            <th scope="row" className="py-2 pr-3 font-medium text-ink">
              {sayKnown(size)}
            </th>
            {measures.map((measure, index) => (
              <td key={measure} className={classNames('py-2', index < measures.length - 1 && 'pr-3')}>
                {formatMeasure(values[index] ?? null)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
