import { DataTable, Facts } from '../../../administration/console/console-parts.tsx'
import { Time } from '../../../administration/console/times.tsx'
import type { KeyList } from '../../../core/tokens/keyring-object.ts'

export function KeysPage({ keys, rotatesAt, mayRotate }: KeyList & { mayRotate: boolean }) {
  return (
    <>
      <Facts facts={[['Next rotation', { time: rotatesAt }]]} />
      <DataTable
        caption="Signing keys"
        items={keys}
        columns={{
          Key: ({ kid }) => ({ code: kid }),
          Algorithm: ({ alg }) => alg,
          State: ({ state }) => (state === 'active' ? { good: state } : state),
          Start: ({ state, createdAt, activeSince }) => (
            <>
              {state === 'next' ? 'published' : 'in use from'}{' '}
              <Time at={state === 'next' ? createdAt : activeSince} />
            </>
          ),
          Removal: ({ removedAt }) => <Time at={removedAt} />,
        }}
      />
      {mayRotate && (
        <>
          <p>
            Keys are rotated automatically. <strong>Rotate</strong> does this now; tokens that were
            signed earlier stay valid. <strong>Rotate and revoke</strong> also removes all current
            keys: do this only if a key may have leaked.
          </p>
          <div class="row">
            <a href="/admin/keys/rotate">Rotate</a>
            <a class="danger" href="/admin/keys/revoke">
              Rotate and revoke
            </a>
          </div>
        </>
      )}
    </>
  )
}
