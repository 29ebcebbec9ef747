import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { useApi } from '#web/api/use-api.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { CollectionEditor } from './CollectionEditor.tsx'
import { useChange } from './use-action.ts'

/** `/admin/collections/new`. */
export function NewCollectionPage() {
  const api = useApi()
  const change = useChange()
  const navigate = useNavigate()
  return (
    <AdminFrame title="New collection">
      <p className="mb-6 max-w-[44em] text-ink-soft">
        Two words are enough to begin: a name and an animal. Colors, texts and pictures follow on the next page.
      </p>
      <CollectionEditor
        send={async (body) => {
          const { id } = await change(() => api('POST /api/admin/collections', { body }))
          await navigate(paths.adminCollection(id))
        }}
      />
    </AdminFrame>
  )
}
