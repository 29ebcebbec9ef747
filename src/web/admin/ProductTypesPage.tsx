import { useQuery } from '@tanstack/react-query'
import type { AdminProductType } from '#contract/admin-product-types.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { productTypesQuery } from './admin-queries.ts'

/** `/admin/product-types`: every kind of product, in the order of the filter. */
export function ProductTypesPage() {
  const types = useQuery(productTypesQuery)
  return (
    <AdminFrame
      title="Product types"
      actions={
        <Link to={paths.adminProductType('new')} className={buttonClass('primary')}>
          New product type
        </Link>
      }
    >
      <p className="mb-6 max-w-[44em] text-ink-soft">
        What all products of a kind share: its names, what its options are called, the details panel and the size guide.
        A new type is filled from one of the printer’s blanks.
      </p>
      <QueryBoundary query={types}>
        {(answer) => (
          <Table
            caption="Product types"
            isCaptionHidden
            stacks
            columns={columns}
            rows={answer.types}
            keyOf={({ content }) => content.key}
            sorting={{ key: 'position', direction: 'ascending' }}
            empty="No product types yet. Make the first one from a blank."
          />
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

/** What matters first to the owner. */
function stateOf({ products, published, blank }: AdminProductType): string {
  if (blank?.isDiscontinued) return 'Blank no longer made'
  if (published > 0) return 'On sale'
  return products > 0 ? 'Not on sale' : 'Not used yet'
}

const columns: readonly [Column<AdminProductType>, ...Column<AdminProductType>[]] = [
  {
    key: 'name',
    title: 'Type',
    sortBy: ({ content }) => content.name,
    cell: ({ content: { key, name } }) => (
      <Link to={paths.adminProductType(key)} className="link-line">
        {name}
      </Link>
    ),
  },
  {
    key: 'products',
    title: 'Products',
    isNumber: true,
    sortBy: ({ products }) => products,
    cell: ({ products }) => products.toLocaleString('en-US'),
  },
  {
    key: 'published',
    title: 'On sale',
    isNumber: true,
    sortBy: ({ published }) => published,
    cell: ({ published }) => published.toLocaleString('en-US'),
  },
  { key: 'state', title: 'State', sortBy: stateOf, cell: stateOf },
  {
    key: 'blank',
    title: 'Blank',
    sortBy: ({ content, blank }) => blank?.title ?? String(content.blankId ?? ''),
    cell: ({ content: { blankId }, blank }) => (
      <span className="wrap-anywhere">{blank?.title ?? (blankId === null ? 'None' : `Number ${blankId}`)}</span>
    ),
  },
  {
    key: 'position',
    title: 'Place in filters',
    isNumber: true,
    sortBy: ({ content }) => content.position,
    cell: ({ content }) => content.position,
  },
]
