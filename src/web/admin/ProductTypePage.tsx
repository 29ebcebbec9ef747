import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import type { AdminProductType } from '#contract/admin-product-types.ts'
import { paths } from '#contract/paths.ts'
import { plainProductType } from '#domain/catalog/product-types.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { BlankChooser } from '#web/studio/BlankChooser.tsx'
import { typeFromBlankQuery } from '#web/studio/studio-queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { ProductTypeEditor } from './ProductTypeEditor.tsx'
import { VersionHistory } from './VersionHistory.tsx'
import { productTypeHistoryQuery, productTypesQuery } from './admin-queries.ts'
import { useAction, useChange } from './use-action.ts'

/** `/admin/product-types/:key`, and `/admin/product-types/new`. */
export function ProductTypePage() {
  const { key = '' } = useParams()
  return key === 'new' ? <NewType /> : <ExistingType key={key} typeKey={key} />
}

const AllTypes = () => (
  <Link to={paths.adminProductTypes} className="link-line inline-flex min-h-11 items-center">
    All product types
  </Link>
)

/** First a blank, which is in the address so that Back leads to the choice; then the form that it fills. */
function NewType() {
  const [parameters, setParameters] = useSearchParams()
  const blank = parameters.get('blank')
  return (
    <AdminFrame title="New product type" actions={<AllTypes />}>
      {blank === null ? (
        <>
          <p className="mb-6 max-w-[44em] text-ink-soft">
            Choose what it is printed on. The printer’s names, sizes, materials and care fill the form; you can change
            everything before you save.
          </p>
          <BlankChooser chosen={[]} onChoose={({ id }) => setParameters({ blank: String(id) })} />
          <p className="mt-8 border-t border-line pt-4">
            <Link
              to={`${paths.adminProductType('new')}?blank=none`}
              className="link-line inline-flex min-h-11 items-center"
            >
              Begin without a blank
            </Link>
          </p>
        </>
      ) : blank === 'none' ? (
        <NewTypeForm content={plainProductType('')} />
      ) : (
        <FromBlank key={blank} id={Number(blank)} />
      )}
    </AdminFrame>
  )
}

function FromBlank({ id }: { id: number }) {
  const draft = useQuery(typeFromBlankQuery(id))
  return (
    <QueryBoundary
      query={draft}
      wayOut={
        <Link to={paths.adminProductType('new')} className="link-line">
          Choose another blank
        </Link>
      }
    >
      {({ content, similar }) => (
        <>
          {similar !== null && (
            <div className="mb-6">
              <Notice tone="calm" title="The shop has a type like this">
                <Link to={paths.adminProductType(similar)} className="underline">
                  Open it
                </Link>{' '}
                to sell this blank as the same kind of product, or make another one here.
              </Notice>
            </div>
          )}
          <NewTypeForm content={content} />
        </>
      )}
    </QueryBoundary>
  )
}

function NewTypeForm({ content }: { content: AdminProductType['content'] }) {
  const api = useApi()
  const change = useChange()
  const navigate = useNavigate()
  return (
    <ProductTypeEditor
      content={content}
      isNew
      send={async (typed) => {
        const { key } = typed
        await change(() =>
          api('PUT /api/admin/product-types/:key', { params: { key }, body: { version: 0, content: typed } }),
        )
        await navigate(paths.adminProductType(key))
      }}
    />
  )
}

function ExistingType({ typeKey: key }: { typeKey: string }) {
  const types = useQuery(productTypesQuery)
  const type = types.data?.types.find(({ content }) => content.key === key)
  return (
    <AdminFrame title={type?.content.name ?? 'Product type'} actions={<AllTypes />}>
      <QueryBoundary query={types}>
        {() => (type ? <Edit type={type} /> : <p>The shop has no product type of this name.</p>)}
      </QueryBoundary>
    </AdminFrame>
  )
}

function Edit({ type: { content, version, products, published } }: { type: AdminProductType }) {
  const api = useApi()
  const change = useChange()
  // A restored version replaces what is in the form.
  const [restored, setRestored] = useState(0)
  const { key } = content
  const params = { key }
  return (
    <>
      <p className="mb-6 text-ink-soft">
        {products === 1 ? '1 product is' : `${products.toLocaleString('en-US')} products are`} of this type,{' '}
        {published.toLocaleString('en-US')} of them on sale.
      </p>
      <ProductTypeEditor
        key={restored}
        content={content}
        send={(typed) =>
          change(() => api('PUT /api/admin/product-types/:key', { params, body: { version, content: typed } }))
        }
      />
      <VersionHistory
        query={productTypeHistoryQuery(key)}
        current={version}
        hint="Restoring brings everything on this page back."
        restore={(number) =>
          api('POST /api/admin/product-types/:key/restore', { params, body: { version, restored: number } })
        }
        onRestored={() => setRestored((count) => count + 1)}
      />
      <Deletion typeKey={key} name={content.name} />
    </>
  )
}

/** The server refuses it while products are of the type; the history stays for one that is made again. */
function Deletion({ typeKey: key, name }: { typeKey: string; name: string }) {
  const api = useApi()
  const navigate = useNavigate()
  const { act, busy, failure } = useAction()
  const [isAsked, setAsked] = useState(false)
  const remove = async () => {
    if (await act(() => api('DELETE /api/admin/product-types/:key', { params: { key } })))
      await navigate(paths.adminProductTypes)
  }
  return (
    <section aria-label="Delete" className="mt-8 grid justify-items-start gap-4 border-t border-line pt-4">
      {failure && <Notice title="Not deleted">{failure.sentence}</Notice>}
      {isAsked ? (
        <>
          <p>Delete the product type {name}? Drafts of this type will need another one.</p>
          <div className="flex flex-wrap gap-3">
            <Button busy={busy} onClick={() => void remove()}>
              Delete {name}
            </Button>
            <Button variant="outline" onClick={() => setAsked(false)}>
              Keep it
            </Button>
          </div>
        </>
      ) : (
        <Button variant="outline" onClick={() => setAsked(true)}>
          Delete this type
        </Button>
      )}
    </section>
  )
}
