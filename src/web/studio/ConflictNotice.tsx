import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import type { Conflict, DraftEditor } from './use-draft.ts'

/** What to do when somebody else saved the draft meanwhile. */
export function ConflictNotice({ editor, conflict }: { editor: DraftEditor; conflict: Conflict }) {
  return (
    <Notice title="Somebody else saved this draft">
      <p>{conflict.sentence}</p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button variant="outline" onClick={() => void editor.keepMine(conflict.theirs)}>
          Save mine
        </Button>
        <Button variant="outline" onClick={() => editor.setDraft(conflict.theirs)}>
          Take theirs
        </Button>
      </div>
    </Notice>
  )
}
