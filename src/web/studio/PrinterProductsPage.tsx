import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { PRINTER_PRODUCTS_A_PAGE, type PrinterProduct } from '#contract/admin-printer-products.ts'
import { paths } from '#contract/paths.ts'
import { AdminFrame } from '#web/admin/AdminFrame.tsx'
import { Moment } from '#web/admin/Moment.tsx'
import { useAction } from '#web/admin/use-action.ts'
import { query } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { TakenOverOptions } from './TakenOverFacts.tsx'

/** `/admin/products/printer`: products made in the printer's dashboard, for taking over. */
export function PrinterProductsPage() {
  const [parameters] = useSearchParams()
  const isIgnored = parameters.get('ignored') === '1'
  const page = Math.max(1, Number(parameters.get('page') ?? 1) || 1)
  const products = useQuery({
    ...query('GET /api/admin/printer-products', {
      query: { ...(page > 1 && { page: String(page) }), ...(isIgnored && { ignored: '1' as const }) },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return (
    <AdminFrame title={isIgnored ? 'Ignored products of the printer' : 'New in the printer’s store'}>
      <p className="mb-6 max-w-[44em] text-ink-soft">
        {isIgnored
          ? 'Products of the printer’s store that you don’t want to sell here. Bring one back to take it over.'
          : 'Products that were made in the printer’s own dashboard and are not in this shop. Take one over to sell it here: it stays the same product at the printer.'}
      </p>
      <QueryBoundary query={products}>
        {({ products: rows, total, ignored, readAt, isOld }) => (
          <>
            {isOld && (
              <div className="mb-5">
                <Notice title="The printer doesn’t answer right now">
                  {readAt ? (
                    <>
                      This is what its store had on <Moment at={readAt} />.
                    </>
                  ) : (
                    'Its store was never read. Please try again in a few minutes.'
                  )}
                </Notice>
              </div>
            )}
            <p role="status" className="mb-3 text-sm text-ink-soft">
              {total === 1 ? '1 product' : `${total} products`}
            </p>
            {rows.length === 0 && !isOld && (
              <p className="py-6">
                {isIgnored
                  ? 'No ignored products.'
                  : 'All caught up: this shop has every product of the printer’s store.'}
              </p>
            )}
            <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
              {rows.map((product) => (
                <ProductCard key={product.id} product={product} />
              ))}
            </ul>
            <div className="mt-6 flex flex-wrap gap-x-6 gap-y-3">
              {page > 1 && (
                <Link to={addressOf(page - 1, isIgnored)} className={buttonClass('outline')}>
                  Previous products
                </Link>
              )}
              {total > page * PRINTER_PRODUCTS_A_PAGE && (
                <Link to={addressOf(page + 1, isIgnored)} className={buttonClass('outline')}>
                  More products
                </Link>
              )}
              {isIgnored ? (
                <Link to={paths.printerProducts} className={buttonClass('plain')}>
                  New in the printer’s store
                </Link>
              ) : (
                ignored > 0 && (
                  <Link to={addressOf(1, true)} className={buttonClass('plain')}>
                    Ignored products ({ignored})
                  </Link>
                )
              )}
              <Link to={paths.adminProducts} className={buttonClass('plain')}>
                All products
              </Link>
            </div>
          </>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

const addressOf = (page: number, isIgnored: boolean): string => {
  const query = new URLSearchParams({ ...(isIgnored && { ignored: '1' }), ...(page > 1 && { page: String(page) }) })
  return `${paths.printerProducts}${query.size ? `?${query.toString()}` : ''}`
}

function ProductCard({ product }: { product: PrinterProduct }) {
  const { id, name, variantCount, isSynced, hasThumbnail, isIgnored, draftId, details } = product
  const api = useApi()
  const { act, busy, failure } = useAction()
  const taking = useRequest()
  const takeOver = () =>
    taking.run(async () => {
      const draft = await api('POST /api/admin/printer-products/:id/take-over', { params: { id } })
      // A page of its own: see paths.newProduct.
      window.location.assign(paths.draft(draft.id))
    })
  const ignore = () =>
    void act(() =>
      isIgnored
        ? api('DELETE /api/admin/printer-products/:id/ignore', { params: { id } })
        : api('POST /api/admin/printer-products/:id/ignore', { params: { id } }),
    )
  const objection = details?.objection ?? null
  const refused = taking.failure ?? failure
  return (
    <li className="flex flex-col gap-3 rounded-card border border-line p-4">
      <div className="flex gap-4">
        <div className="size-24 shrink-0 overflow-hidden rounded-card border border-line bg-ground">
          {hasThumbnail && (
            <img
              src={`/api/admin/printer-products/${id}/picture`}
              alt=""
              width={96}
              height={96}
              loading="lazy"
              className="size-full object-cover"
            />
          )}
        </div>
        <div className="min-w-0">
          <h2 className="font-semibold wrap-anywhere">{name}</h2>
          <p className="text-sm text-ink-soft">
            {variantCount === 1 ? '1 variant' : `${variantCount ?? 'Unknown number of'} variants`}
            {isSynced ? '' : ', not all synced'}
          </p>
          {details?.madeAt && (
            <p className="text-sm text-ink-soft">
              Made <Moment at={details.madeAt} />
            </p>
          )}
        </div>
      </div>
      {details ? (
        <TakenOverOptions details={details} />
      ) : (
        <p className="text-sm text-ink-soft">The printer did not tell more about it yet.</p>
      )}
      {objection !== null && <p className="text-sm">Can’t be taken over yet: {objection}</p>}
      {refused && <Notice title="Nothing was changed">{refused.sentence}</Notice>}
      <div className="mt-auto flex flex-wrap items-center gap-x-5 gap-y-2">
        {draftId === null
          ? !isIgnored && (
              <Button
                busy={taking.busy}
                aria-disabled={objection !== null}
                aria-label={`Take over ${name}`}
                onClick={() => void takeOver()}
              >
                Take over
              </Button>
            )
          : !isIgnored && (
              <a href={paths.draft(draftId)} className={buttonClass('outline')} aria-label={`Continue with ${name}`}>
                Continue
              </a>
            )}
        <Button
          variant="plain"
          busy={busy}
          aria-label={`${isIgnored ? 'Bring back' : 'Ignore'} ${name}`}
          onClick={ignore}
        >
          {isIgnored ? 'Bring back' : 'Ignore'}
        </Button>
      </div>
    </li>
  )
}
