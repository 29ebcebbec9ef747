import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { dropPaths } from '#contract/drop-paths.ts'
import { useApi } from '#web/api/use-api.ts'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { dropsQuery } from './admin-queries.ts'
import { DropEditor } from './DropEditor.tsx'
import { useChange } from './use-action.ts'

/** `/admin/drops/new`. */
export function NewDropPage() {
  const api = useApi()
  const change = useChange()
  const navigate = useNavigate()
  const query = useQuery(dropsQuery)
  return (
    <AdminFrame title="New drop">
      <p className="mb-6 max-w-[44em] text-ink-soft">
        A draft changes nothing for shoppers. Schedule it on the next page, and its goods are sold by it alone.
      </p>
      <QueryBoundary query={query}>
        {({ collections }) => (
          <DropEditor
            collections={collections}
            send={async (body) => {
              const { id } = await change(() => api('POST /api/admin/drops', { body }))
              await navigate(dropPaths.adminDrop(id))
            }}
          />
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}
