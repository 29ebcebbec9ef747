import { centimeters, type SizeRow } from '#domain/catalog/specs.ts'

export const SizeGuide = ({ rows }: { rows: readonly SizeRow[] }) => (
  <div className="overflow-x-auto">
    <table className="w-full min-w-72 text-left tabular-nums">
      <caption className="mb-3 text-left text-sm">Measured flat, in inches and centimeters.</caption>
      <thead>
        <tr className="border-b border-line text-ink">
          <th scope="col" className="py-2 pr-3 font-medium">
            Size
          </th>
          <th scope="col" className="py-2 pr-3 font-medium">
            Chest
          </th>
          <th scope="col" className="py-2 font-medium">
            Length
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ size, chest, length }) => (
          <tr key={size} className="border-b border-line/60 last:border-0">
            <th scope="row" className="py-2 pr-3 font-medium text-ink">
              {size}
            </th>
            <td className="py-2 pr-3">
              {chest} in / {centimeters(chest)} cm
            </td>
            <td className="py-2">
              {length} in / {centimeters(length)} cm
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
