// The roles repeat those of the elements: browsers drop them where a row is laid out as a card.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
import { useId, useState, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './Icon.tsx'
import { sortRows, type Direction, type SortValue } from './sorting.ts'

/** The first column is the row's header. */
export type Column<Row> = {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** Amounts and counts: right-aligned, tabular digits. */
  isNumber?: boolean
  /** Makes the column sortable. */
  sortBy?: (row: Row) => SortValue
  /** The column's cell in the totals row. */
  total?: ReactNode
  /** Its cells are buttons: cards show them without the column's name. */
  isAction?: boolean
}

type Sorting = { key: string; direction: Direction }

type Props<Row> = {
  /** Also the name of the scrollable region. */
  caption: string
  /** For screen readers only, where a heading on the page already says it. */
  isCaptionHidden?: boolean
  columns: readonly [Column<Row>, ...Column<Row>[]]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** The totals row's header; without it there is no totals row. */
  totalTitle?: string
  /** The initial order; unset: as given. */
  sorting?: Sorting
  /** Shown when there are no rows. */
  empty: string
  /** On phones each row becomes a card, with the column's name beside each cell. */
  stacks?: boolean
}

/**
 * A table with a sticky header that scrolls within itself, sideways too, so the page never does. Without script it is a plain table
 * in its initial order.
 */
export function Table<Row>(props: Props<Row>) {
  const { caption, isCaptionHidden = false, columns, rows, keyOf, totalTitle, empty, stacks = false } = props
  const [sorting, setSorting] = useState(props.sorting)
  const captionId = useId()
  const valueOf = columns.find(({ key }) => key === sorting?.key)?.sortBy
  const sortedRows = sorting && valueOf ? sortRows(rows, valueOf, sorting.direction) : rows
  const [first, ...others] = columns

  return (
    <div
      role="region"
      aria-labelledby={captionId}
      // Arrow keys scroll only focusable elements.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-cards={stacks || undefined}
      className="scroll-area more-at-right relative isolate max-h-[80dvh] overflow-x-auto rounded-card border border-line max-md:data-cards:max-h-none"
    >
      <table
        role="table"
        className="w-full border-separate border-spacing-0 text-left text-[0.9375rem] max-md:in-data-cards:block"
      >
        <caption
          id={captionId}
          className={isCaptionHidden ? 'sr-only' : 'p-4 text-left font-semibold max-md:in-data-cards:block'}
        >
          {caption}
        </caption>
        <thead role="rowgroup" className="max-md:in-data-cards:block">
          <tr
            role="row"
            className="max-md:in-data-cards:flex max-md:in-data-cards:flex-wrap max-md:in-data-cards:gap-x-3 max-md:in-data-cards:bg-button-quiet max-md:in-data-cards:px-4 max-md:in-data-cards:has-[button]:before:content-['Sort_by'] max-md:in-data-cards:before:self-center max-md:in-data-cards:before:text-ink-soft"
          >
            {columns.map((column) => (
              <Head
                key={column.key}
                column={column}
                isFirst={column === first}
                canSort={rows.length > 1}
                direction={sorting?.key === column.key ? sorting.direction : undefined}
                onSort={(direction) => setSorting({ key: column.key, direction })}
              />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-md:in-data-cards:block">
          {sortedRows.map((row) => (
            <tr key={keyOf(row)} role="row" className={cardClass}>
              <th
                scope="row"
                role="rowheader"
                className={classNames(cellOf(first), cardHead, 'sticky left-0 min-w-24 bg-surface font-medium')}
              >
                {first.cell(row)}
              </th>
              {others.map((column) => (
                <td
                  key={column.key}
                  role="cell"
                  data-title={column.isAction ? undefined : column.title}
                  className={classNames(cellOf(column), cardCell)}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr role="row" className="max-md:in-data-cards:block">
              <td
                role="cell"
                colSpan={columns.length}
                className="border-t border-line px-3 py-8 text-ink-soft max-md:in-data-cards:block max-md:in-data-cards:border-0 max-md:in-data-cards:px-4 lg:px-4"
              >
                {empty}
              </td>
            </tr>
          )}
        </tbody>
        {totalTitle !== undefined && rows.length > 0 && (
          <tfoot
            role="rowgroup"
            className="max-md:in-data-cards:block max-md:in-data-cards:border-t-2 max-md:in-data-cards:border-ink/60"
          >
            <tr role="row" className={cardClass}>
              <th scope="row" role="rowheader" className={classNames(totalCellOf(first), cardHead, 'left-0 z-10')}>
                {totalTitle}
              </th>
              {others.map((column) => (
                <td
                  key={column.key}
                  role="cell"
                  data-title={column.title}
                  className={classNames(totalCellOf(column), cardCell)}
                >
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

type ColumnAlignment = { isNumber?: boolean }

const alignmentClass = ({ isNumber = false }: ColumnAlignment) => isNumber && 'text-right'
const cellOf = (column: ColumnAlignment) =>
  classNames('border-t border-line px-3 py-3 align-top lg:px-4', alignmentClass(column))
const totalCellOf = (column: ColumnAlignment) =>
  classNames(
    'sticky bottom-0 border-t-2 border-ink/60 bg-surface px-3 py-3 font-semibold lg:px-4',
    alignmentClass(column),
  )

// For stacked tables on phones. Empty cells take no space.
const cardClass =
  'max-md:in-data-cards:grid max-md:in-data-cards:grid-cols-[minmax(0,1fr)] max-md:in-data-cards:gap-y-1.5 max-md:in-data-cards:not-first:border-t max-md:in-data-cards:border-line max-md:in-data-cards:px-4 max-md:in-data-cards:py-4'
const cardPart =
  'max-md:in-data-cards:static max-md:in-data-cards:block max-md:in-data-cards:border-0 max-md:in-data-cards:p-0 max-md:in-data-cards:text-left'
const cardHead = `${cardPart} max-md:in-data-cards:text-base max-md:in-data-cards:font-semibold`
const cardCell = `${cardPart} max-md:in-data-cards:empty:hidden max-md:in-data-cards:data-title:relative max-md:in-data-cards:data-title:pl-28 max-md:in-data-cards:data-title:before:absolute max-md:in-data-cards:data-title:before:left-0 max-md:in-data-cards:data-title:before:w-26 max-md:in-data-cards:data-title:before:font-normal max-md:in-data-cards:data-title:before:text-ink-soft max-md:in-data-cards:data-title:before:content-[attr(data-title)/'']`

type HeadProps<Row> = {
  column: Column<Row>
  isFirst: boolean
  /** False with fewer than two rows. */
  canSort: boolean
  /** Unset while another column is sorted. */
  direction: Direction | undefined
  onSort: (direction: Direction) => void
}

function Head<Row>({ column, isFirst, canSort, direction, onSort }: HeadProps<Row>) {
  const { title, isNumber = false } = column
  const sortBy = canSort && column.sortBy
  return (
    <th
      scope="col"
      role="columnheader"
      aria-sort={direction}
      className={classNames(
        sortBy
          ? 'max-md:in-data-cards:static max-md:in-data-cards:px-0 max-md:in-data-cards:text-left'
          : 'max-md:in-data-cards:sr-only',
        'sticky top-0 bg-button-quiet px-3 align-bottom font-semibold whitespace-nowrap lg:px-4',
        isFirst ? 'left-0 z-20' : 'z-10',
        alignmentClass(column),
      )}
    >
      {sortBy ? (
        <>
          <button
            type="button"
            onClick={() => onSort(direction === 'ascending' ? 'descending' : 'ascending')}
            className={classNames(
              'group inline-flex min-h-11 items-center gap-1 noscript:hidden',
              isNumber && 'flex-row-reverse max-md:in-data-cards:flex-row',
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
