import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { OneCollection } from '#contract/admin-collections.ts'
import { paths } from '#contract/paths.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { CollectionEditor } from './CollectionEditor.tsx'
import { Versions } from './VersionHistory.tsx'
import { adminCollectionQuery } from './admin-queries.ts'
import { useChange } from './use-action.ts'

/** `/admin/collections/:id`. */
export function CollectionEditPage() {
  const { id = '' } = useParams()
  const one = useQuery(adminCollectionQuery(id))
  return (
    <AdminFrame
      title={one.data?.collection.displayName ?? 'Collection'}
      actions={
        <>
          <Link to={paths.adminCollections} className="link-line inline-flex min-h-11 items-center">
            All collections
          </Link>
          <Link to={paths.newProduct} className={buttonClass('outline')}>
            New product
          </Link>
        </>
      }
    >
      <QueryBoundary query={one}>{(data) => <Edit key={data.id} one={data} />}</QueryBoundary>
    </AdminFrame>
  )
}

function Edit({ one }: { one: OneCollection }) {
  const api = useApi()
  const change = useChange()
  // A restored version replaces what is in the form.
  const [restored, setRestored] = useState(0)
  const { id, version, formerSlugs } = one
  return (
    <>
      {formerSlugs.length > 0 && (
        <p className="mb-6 text-ink-soft">
          Former addresses that redirect: {formerSlugs.map((slug) => `/${slug}`).join(', ')}.
        </p>
      )}
      <CollectionEditor
        key={restored}
        saved={one}
        send={(collection) =>
          change(() => api('PUT /api/admin/collections/:id', { params: { id }, body: { ...collection, version } }))
        }
      />
      <section aria-labelledby="history" className="mt-14">
        <h2 id="history" className="mb-4 text-title">
          History
        </h2>
        <Versions
          versions={one.history}
          current={version}
          hint="Restoring brings texts, colors and pictures back; the address and the state stay."
          restore={(to) => api('POST /api/admin/collections/:id/restore', { params: { id }, body: { version, to } })}
          onRestored={() => setRestored((count) => count + 1)}
        />
      </section>
    </>
  )
}
