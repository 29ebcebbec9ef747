import type { ComponentProps } from 'react'
import { buttonClass } from '#web/ui/Button.tsx'
import { Table } from '#web/ui/Table.tsx'
import { Link } from './Link.tsx'

type LinksProps = {
  /** The first page's address; unset on the first page. */
  first?: string | false | null | undefined
  /** The next page's address; unset on the last page. */
  next?: string | false | null | undefined
  firstText?: string
  nextText?: string
}

/** Links from one page of a list to the first and the next one, so that each page has its own address. */
export const PageLinks = ({ first, next, firstText = 'Latest', nextText = 'Older' }: LinksProps) =>
  (first || next) && (
    <div className="mt-6 flex flex-wrap gap-3">
      {first && (
        <Link to={first} className={buttonClass('outline')}>
          {firstText}
        </Link>
      )}
      {next && (
        <Link to={next} className={buttonClass('outline')}>
          {nextText}
        </Link>
      )}
    </div>
  )

type Props<Row> = ComponentProps<typeof Table<Row>> &
  Omit<LinksProps, 'next'> & {
    hasMore: boolean
    /** The address of the page after this row. */
    after: (last: Row) => string
  }

/** One page of a long table. Its heading on the page names it, and on phones its rows are cards. */
export function PagedTable<Row>({ first, firstText, nextText, hasMore, after, ...table }: Props<Row>) {
  const last = table.rows.at(-1)
  return (
    <div>
      <Table isCaptionHidden stacks {...table} />
      <PageLinks
        first={first}
        next={hasMore && last !== undefined && after(last)}
        {...(firstText && { firstText })}
        {...(nextText && { nextText })}
      />
    </div>
  )
}
