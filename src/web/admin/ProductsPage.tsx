import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { AdminProduct } from '#contract/admin-products.ts'
import { paths } from '#contract/paths.ts'
import { formatUsd } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { PagedTable } from '#web/app/PagedTable.tsx'
import { Picture } from '#web/catalog/Picture.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import type { Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { DraftList } from '#web/studio/DraftList.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { Moment } from './Moment.tsx'
import { ProductEditor } from './ProductEditor.tsx'
import { productsQuery } from './admin-queries.ts'
import { stateNames } from './product-state-names.ts'
import { useCollectionNames } from './use-collection-names.ts'

/** `/admin/products`: every product in any state. */
export function ProductsPage() {
  const [parameters] = useSearchParams()
  const products = useQuery(productsQuery(parameters.get('after') ?? undefined))
  const collectionName = useCollectionNames()
  const [editing, setEditing] = useState<number>()
  const edited = products.data?.products.find(({ id }) => id === editing)
  return (
    <AdminFrame
      title="Products"
      actions={
        <>
          <Link to={paths.printerProducts} className={buttonClass('outline')}>
            New in the printer’s store
          </Link>
          <Link to={paths.adminCatalogFile} className={buttonClass('outline')}>
            Export and import
          </Link>
          {/* Pages of their own: see paths.newProduct. */}
          <a href={paths.severalProducts} className={buttonClass('outline')}>
            One drawing, several products
          </a>
          <a href={paths.newProduct} className={buttonClass('primary')}>
            New product
          </a>
        </>
      }
    >
      <p className="mb-6 max-w-[44em] text-ink-soft">
        What is on sale, and what shoppers read and pay. Colors and sizes are those that the printer has.
      </p>
      <DraftList />
      <QueryBoundary query={products}>
        {({ products: rows, hasMore }) => (
          <PagedTable
            caption="Products"
            columns={columnsWith(({ id }) => setEditing(id), collectionName)}
            rows={rows}
            keyOf={({ id }) => id}
            empty="No products."
            hasMore={hasMore}
            after={({ id }) => `${paths.adminProducts}?after=${id}`}
            nextText="More products"
          />
        )}
      </QueryBoundary>
      <Dialog open={edited !== undefined} onClose={() => setEditing(undefined)} title={edited?.name ?? ''}>
        {edited && (
          <ProductEditor
            key={edited.id}
            product={edited}
            types={products.data?.types ?? []}
            onDone={() => setEditing(undefined)}
          />
        )}
      </Dialog>
    </AdminFrame>
  )
}

/** Of the variant that leaves least. */
const Margins = ({ usual, worst, worstSale, isBelowFloor, isEstimated }: NonNullable<AdminProduct['margins']>) => (
  <span className="block min-w-40 text-sm">
    <span className="block">usually {formatUsd(usual)}</span>
    <span className={isBelowFloor ? 'block font-semibold text-danger' : 'block'}>at worst {formatUsd(worst)}</span>
    <span className="block text-ink-soft">
      {worstSale}
      {isEstimated && '; shipping estimated'}
    </span>
  </span>
)

const columnsWith = (
  edit: (product: AdminProduct) => void,
  collectionName: (id: string) => string,
): readonly [Column<AdminProduct>, ...Column<AdminProduct>[]] => [
  {
    key: 'name',
    title: 'Product',
    sortBy: ({ name }) => name,
    cell: ({ id, name, type, state, picture }) => (
      <span className="flex min-w-52 items-center gap-3">
        <Picture
          picture={picture ?? undefined}
          alt=""
          sizes="56px"
          className="size-14 shrink-0 rounded-card border border-line object-cover"
        />
        <span>
          {state === 'published' ? (
            <Link to={paths.product(id)} className="link-line">
              {name}
            </Link>
          ) : (
            name
          )}
          <span className="block text-sm font-normal text-ink-soft first-letter:uppercase">
            {type === 't-shirt' ? type : type.replaceAll('-', ' ')}
          </span>
        </span>
      </span>
    ),
  },
  {
    key: 'collection',
    title: 'Collection',
    sortBy: ({ collection }) => collection,
    cell: ({ collection }) => collectionName(collection),
  },
  {
    key: 'price',
    title: 'From',
    isNumber: true,
    sortBy: ({ from }) => from,
    cell: ({ from }) => (from === null ? 'Not at the printer' : formatUsd(from)),
  },
  {
    key: 'margin',
    title: 'Left of a sale',
    isNumber: true,
    sortBy: ({ margins }) => margins?.worst ?? null,
    cell: ({ margins }) => (margins ? <Margins {...margins} /> : 'Cost unknown'),
  },
  {
    key: 'badge',
    title: 'Badge',
    cell: ({ badge }) => badge && <span className="text-sm whitespace-nowrap">{badge}</span>,
  },
  {
    key: 'place',
    title: 'Position',
    isNumber: true,
    sortBy: ({ place }) => place,
    cell: ({ place }) => place,
  },
  {
    key: 'state',
    title: 'State',
    sortBy: ({ state }) => state,
    cell: ({ state, publishAt }) => (
      <>
        {stateNames[state]}
        {state === 'scheduled' && publishAt && (
          <span className="block text-sm text-ink-soft">
            <Moment at={publishAt} />
          </span>
        )}
      </>
    ),
  },
  {
    key: 'edit',
    title: 'Edit',
    isAction: true,
    cell: (product) => (
      <Button
        variant="plain"
        className="-my-3"
        aria-haspopup="dialog"
        aria-label={`Edit ${product.name}`}
        onClick={() => edit(product)}
      >
        Edit
      </Button>
    ),
  },
]
