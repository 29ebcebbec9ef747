import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { EMPTY_DRAFT } from '#domain/studio/draft.ts'
import { AdminFrame } from '#web/admin/AdminFrame.tsx'
import { query } from '#web/api/queries.ts'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { CopiesForm } from './CopiesForm.tsx'
import { CopiesTable } from './CopiesTable.tsx'

/** `/admin/products/several`: one drawing on several blanks, corrected side by side and published in one go. */
export function SeveralProductsPage() {
  const [parameters, setParameters] = useSearchParams()
  const batch = parameters.get('batch')
  const onMade = (made: string) => setParameters({ batch: made })
  return (
    <AdminFrame title="One drawing, several products">
      {batch === null ? (
        <Beginning draft={parameters.get('draft')} product={parameters.get('product')} onMade={onMade} />
      ) : (
        <CopiesTable key={batch} batch={batch} />
      )}
    </AdminFrame>
  )
}

type BeginningProps = {
  draft: string | null
  product: string | null
  onMade: (batch: string) => void
}

/** From a draft, from a product, or from nothing but a drawing. */
function Beginning({ draft, product, onMade }: BeginningProps) {
  const ofDraft = useQuery({
    ...query('GET /api/admin/drafts/:id', { params: { id: Number(draft) } }),
    enabled: draft !== null,
  })
  const ofProduct = useQuery({
    ...query('GET /api/admin/products/:id/draft', { params: { id: Number(product) } }),
    enabled: product !== null,
  })
  if (draft !== null)
    return (
      <QueryBoundary query={ofDraft}>{({ content }) => <CopiesForm source={content} onMade={onMade} />}</QueryBoundary>
    )
  if (product !== null)
    return (
      <QueryBoundary query={ofProduct}>
        {({ content }) => <CopiesForm source={content} onMade={onMade} />}
      </QueryBoundary>
    )
  return <CopiesForm source={EMPTY_DRAFT} onMade={onMade} />
}
