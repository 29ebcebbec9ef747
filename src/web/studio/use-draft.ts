import { useRef, useState } from 'react'
import type { Draft } from '#contract/admin-studio.ts'
import type { DraftContent, DraftStep } from '#domain/studio/draft.ts'
import { ApiError } from '#web/api/client.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'

const SAVE_AFTER_MS = 700

/** Somebody else saved the draft: what they saved, beside what is typed here. */
export type Conflict = { sentence: string; theirs: Draft }

/**
 * A draft while it is edited. What is typed is saved a moment later, one save after the other; `flush` saves at once.
 * @param opened as loaded
 */
export function useDraft(opened: Draft) {
  const api = useApi()
  const [draft, setDraft] = useState(opened)
  const [content, setContent] = useState(opened.content)
  const [step, setStep] = useState<DraftStep>(opened.step)
  const [failure, setFailure] = useState<string>()
  const [conflict, setConflict] = useState<Conflict>()
  const [isSaving, setSaving] = useState(false)
  const latest = useRef({ version: opened.version, content: opened.content, step: opened.step, isChanged: false })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const running = useRef<Promise<void>>(Promise.resolve())

  const save = async () => {
    const { version, content, step, isChanged } = latest.current
    if (!isChanged) return
    latest.current.isChanged = false
    setSaving(true)
    try {
      const saved = await api('PUT /api/admin/drafts/:id', {
        params: { id: opened.id },
        body: { version, step, content },
      })
      latest.current.version = saved.version
      setDraft(saved)
      setFailure(undefined)
      setConflict(undefined)
    } catch (error) {
      latest.current.isChanged = true
      const theirs = error instanceof ApiError && error.refusal?.code === 'draft_changed' && error.refusal.summary
      if (theirs) setConflict({ sentence: sentenceOf(error), theirs: theirs as Draft })
      else setFailure(sentenceOf(error))
    }
    setSaving(false)
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer.current)
    running.current = running.current.then(save)
    return running.current
  }

  return {
    draft,
    content,
    step,
    failure,
    conflict,
    isSaving,
    flush,
    setDraft: (next: Draft) => {
      latest.current = { version: next.version, content: next.content, step: next.step, isChanged: false }
      setDraft(next)
      setContent(next.content)
      setConflict(undefined)
      setFailure(undefined)
    },
    update: (part: Partial<DraftContent>) => {
      latest.current = { ...latest.current, content: { ...latest.current.content, ...part }, isChanged: true }
      setContent(latest.current.content)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void flush(), SAVE_AFTER_MS)
    },
    goTo: (next: DraftStep) => {
      latest.current = { ...latest.current, step: next, isChanged: true }
      setStep(next)
      return flush()
    },
    /** Saves what is typed here over what somebody else saved. */
    keepMine: (theirs: Draft) => {
      latest.current.version = theirs.version
      setConflict(undefined)
      return flush()
    },
    isSaved: () => !latest.current.isChanged,
    version: () => latest.current.version,
  }
}

export type DraftEditor = ReturnType<typeof useDraft>
