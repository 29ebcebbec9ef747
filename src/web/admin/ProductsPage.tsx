import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { AdminProduct } from '#contract/admin-products.ts'
import { paths } from '#contract/paths.ts'
import { formatUsd } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { PagedTable } from '#web/app/PagedTable.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import type { Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { ProductEditor } from './ProductEditor.tsx'
import { productsQuery } from './admin-queries.ts'
import { useCollectionNames } from './use-collection-names.ts'

/** `/admin/products`: the owner's overrides of the catalog file. */
export function ProductsPage() {
  const [parameters] = useSearchParams()
  const products = useQuery(productsQuery(parameters.get('after') ?? undefined))
  const collectionName = useCollectionNames()
  const [editing, setEditing] = useState<AdminProduct>()
  return (
    <AdminFrame title="Products">
      <p className="mb-6 max-w-[44em] text-ink-soft">
        Edit badge, description, position in lists, visibility, surcharge and restrictions. Names, prices and variants
        come from the printer and can’t be changed here.
      </p>
      <QueryBoundary query={products}>
        {({ products: rows, hasMore }) => (
          <PagedTable
            caption="Products"
            columns={columnsWith(setEditing, collectionName)}
            rows={rows}
            keyOf={({ id }) => id}
            empty="No products."
            hasMore={hasMore}
            after={({ id }) => `${paths.adminProducts}?after=${id}`}
            nextText="More products"
          />
        )}
      </QueryBoundary>
      <Dialog open={editing !== undefined} onClose={() => setEditing(undefined)} title={editing?.name ?? ''}>
        {editing && <ProductEditor key={editing.id} product={editing} onDone={() => setEditing(undefined)} />}
      </Dialog>
    </AdminFrame>
  )
}

const columnsWith = (
  edit: (product: AdminProduct) => void,
  collectionName: (id: string) => string,
): readonly [Column<AdminProduct>, ...Column<AdminProduct>[]] => [
  {
    key: 'name',
    title: 'Product',
    sortBy: ({ name }) => name,
    cell: ({ id, name, type, shown }) => (
      <span className="block min-w-44">
        {shown.visible ? (
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
    cell: ({ from }) => (from === null ? 'none' : formatUsd(from)),
  },
  {
    key: 'badge',
    title: 'Badge',
    cell: ({ shown }) => shown.badge && <span className="text-sm whitespace-nowrap">{shown.badge}</span>,
  },
  {
    key: 'place',
    title: 'Position',
    isNumber: true,
    sortBy: ({ shown }) => shown.place,
    cell: ({ shown }) => shown.place,
  },
  {
    key: 'visible',
    title: 'Visible',
    cell: ({ shown, override }) => (
      <>
        {shown.visible ? 'Yes' : 'No'}
        {Object.values(override).some((value) => value !== null) && (
          <span className="block text-sm whitespace-nowrap text-ink-soft">customized</span>
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
