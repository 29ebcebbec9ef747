import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { RequireSignIn } from '#web/accounts/RequireSignIn.tsx'
import { ProductView } from '#web/catalog/ProductPage.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { previewQuery } from './studio-queries.ts'

/** `/admin/products/preview/{draft}`: a draft as shoppers will see it, for the frames of the form. */
export function DraftPreviewPage() {
  return <RequireSignIn>{(user) => (user.isOwner ? <Preview /> : null)}</RequireSignIn>
}

function Preview() {
  const preview = useQuery(previewQuery(Number(useParams()['draft'])))
  return (
    <QueryBoundary query={preview} className="shell py-10">
      {({ page }) => <ProductView key={page.product.id} {...page} isDraft />}
    </QueryBoundary>
  )
}
