import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { accountQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { say } from '#words/say.ts'
import { useLinkSecret } from './use-link-secret.ts'

/** Confirms an email through its emailed link, once, and shows the result. */
export function ProofNotice() {
  const proof = useProof()
  if (!proof) return null
  return (
    <Notice
      title={proof.isProven ? say('Email confirmed') : say('Email not confirmed')}
      tone={proof.isProven ? 'calm' : 'danger'}
    >
      {proof.message}
    </Notice>
  )
}

function useProof() {
  const api = useApi()
  const queries = useQueryClient()
  const token = useLinkSecret()
  const usedToken = useRef<string>(undefined)
  const [proof, setProof] = useState<{ isProven: boolean; message: string }>()
  useEffect(() => {
    if (!token || usedToken.current === token) return
    usedToken.current = token
    api('POST /api/account/email/proof', { body: { token } })
      .then(({ email }) => setProof({ isProven: true, message: say('{email} is confirmed.', { email }) }))
      .catch((error: unknown) => setProof({ isProven: false, message: sentenceOf(error) }))
      .finally(() => void queries.invalidateQueries({ queryKey: accountQuery.queryKey }))
  }, [token, api, queries])
  return proof
}
