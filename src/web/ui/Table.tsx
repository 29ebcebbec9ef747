import { useId, useState, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './Icon.tsx'
import { sortedBy, type Direction, type SortValue } from './sorting.ts'

/** The first column names its row. */
export type Column<Row> = {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** Amounts and counts: flush right, in digits of one width. */
  isNumber?: boolean
  /** Lets the reader sort by it. */
  sortBy?: (row: Row) => SortValue
  /** What stands under the column in the row of totals. */
  total?: ReactNode
}

type Sorting = { key: string; direction: Direction }

type Props<Row> = {
  /** What the table shows, and its region's name. */
  caption: string
  /** The caption stands on the page already, as a heading, and is only read aloud. */
  isCaptionHidden?: boolean
  columns: readonly [Column<Row>, ...Column<Row>[]]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** Names the row of totals; without it there is none. */
  totalTitle?: string
  /** How the rows stand at first; unset: as they come. */
  sorting?: Sorting
  /** Said in place of rows when there are none. */
  empty: string
}

/**
 * A table that keeps its head in sight and scrolls by itself, sideways too, so that the page never does. Where no script runs it is
 * a plain table in its first order.
 */
export function Table<Row>(props: Props<Row>) {
  const { caption, isCaptionHidden = false, columns, rows, keyOf, totalTitle, empty } = props
  const [sorting, setSorting] = useState(props.sorting)
  const captionId = useId()
  const valueOf = columns.find(({ key }) => key === sorting?.key)?.sortBy
  const shown = sorting && valueOf ? sortedBy(rows, valueOf, sorting.direction) : rows
  const [first, ...others] = columns

  return (
    <div
      role="region"
      aria-labelledby={captionId}
      // Arrow keys scroll only what can have the focus.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="scroll-area more-at-right relative isolate max-h-[80dvh] overflow-x-auto rounded-card border border-line"
    >
      <table className="w-full border-separate border-spacing-0 text-left text-[0.9375rem]">
        <caption id={captionId} className={isCaptionHidden ? 'sr-only' : 'p-4 text-left font-semibold'}>
          {caption}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head
                key={column.key}
                column={column}
                isFirst={column === first}
                direction={sorting?.key === column.key ? sorting.direction : undefined}
                onSort={(direction) => setSorting({ key: column.key, direction })}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={keyOf(row)}>
              <th scope="row" className={classNames(cellOf(first), 'sticky left-0 min-w-24 bg-surface font-medium')}>
                {first.cell(row)}
              </th>
              {others.map((column) => (
                <td key={column.key} className={cellOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={columns.length} className="border-t border-line px-3 py-8 text-ink-soft lg:px-4">
                {empty}
              </td>
            </tr>
          )}
        </tbody>
        {totalTitle !== undefined && rows.length > 0 && (
          <tfoot>
            <tr>
              <th scope="row" className={classNames(totalCellOf(first), 'left-0 z-10')}>
                {totalTitle}
              </th>
              {others.map((column) => (
                <td key={column.key} className={totalCellOf(column)}>
                  {column.total}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

type Aligned = { isNumber?: boolean }

const aligned = ({ isNumber = false }: Aligned) => isNumber && 'text-right tabular-nums'
const cellOf = (column: Aligned) => classNames('border-t border-line px-3 py-3 align-top lg:px-4', aligned(column))
const totalCellOf = (column: Aligned) =>
  classNames('sticky bottom-0 border-t-2 border-ink/60 bg-surface px-3 py-3 font-semibold lg:px-4', aligned(column))

type HeadProps<Row> = {
  column: Column<Row>
  isFirst: boolean
  /** Unset where the rows are not sorted by this column. */
  direction: Direction | undefined
  onSort: (direction: Direction) => void
}

function Head<Row>({ column, isFirst, direction, onSort }: HeadProps<Row>) {
  const { title, isNumber = false, sortBy } = column
  return (
    <th
      scope="col"
      aria-sort={direction}
      className={classNames(
        'sticky top-0 bg-button-quiet px-3 align-bottom font-semibold whitespace-nowrap lg:px-4',
        isFirst ? 'left-0 z-20' : 'z-10',
        aligned(column),
      )}
    >
      {sortBy ? (
        <>
          <button
            type="button"
            onClick={() => onSort(direction === 'ascending' ? 'descending' : 'ascending')}
            className={classNames(
              'group inline-flex min-h-11 items-center gap-1 noscript:hidden',
              isNumber && 'flex-row-reverse',
            )}
          >
            {title}
            <Icon
              name="down"
              className={classNames(
                'size-4 transition-transform',
                direction === undefined && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60',
                direction === 'ascending' && 'rotate-180',
              )}
            />
          </button>
          <span className="hidden min-h-11 items-center noscript:inline-flex">{title}</span>
        </>
      ) : (
        <span className="inline-flex min-h-11 items-center">{title}</span>
      )}
    </th>
  )
}
