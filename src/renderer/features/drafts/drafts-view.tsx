import { bulkFileStore, campaignFileTypes } from '#renderer/stores/bulk/bulk-file-store.ts';
import { bulkStore, openCampaignFile } from '#renderer/stores/bulk/bulk-store.ts';
import { checkStore } from './stores/check-store.ts';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  cx,
  common,
  useFormats,
  Banner,
  Button,
  Buttons,
  Checkbox,
  EmptyState,
  FileButton,
  ForeignText,
  IconButton,
  LinkButton,
  PageFrame,
  removeAndPassFocus,
  FailureBanner,
  pages,
} from '#renderer/ui/index.ts';
import type { CampaignDraftView } from '#shared/app-api/index.ts';
import { type ReactElement, type RefObject, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { checkSummary, isProblem } from './check-words.ts';
import { DraftItem } from './draft-item.tsx';
import styles from './drafts.module.css';
import { maxFound } from '#shared/find/index.ts';
import type { Formats } from '#shared/lib/formats.ts';

const atOnce = 100;
const maxProposed = 500;

export function DraftsView(): ReactElement {
  const formats = useFormats();
  const { campaigns, isRead } = useStore(draftsStore);
  const { check } = useStore(checkStore);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [onlyProblems, setOnlyProblems] = useState(false);
  const [shown, setShown] = useState(atOnce);
  const undoButton = useRef<HTMLButtonElement>(null);
  useEffect(() => checkStore.getState().start(), []);
  const drafts = Object.values(campaigns);
  const checked = new Map((check?.campaigns ?? []).map((campaign) => [campaign.cid, campaign]));
  const listed = drafts.filter(({ cid }) => {
    const found = checked.get(cid);
    return !onlyProblems || (found !== undefined && isProblem(found));
  });
  // Actions must not affect selected campaigns that the filter hides.
  const chosen = listed.filter(({ cid }) => selected.has(cid));
  const inScope = chosen.length === 0 ? drafts : chosen;
  const open = inScope.filter(({ cid, proposalId }) => {
    const state = checked.get(cid)?.state;
    return proposalId === null && (state === undefined || state === 'ready' || state === 'warning');
  });
  const fields = drafts.reduce((sum, draft) => sum + Object.keys(draft.fields).length, 0);
  return (
    <PageFrame
      title="Drafts"
      guide={routeHref({ page: 'guide', place: 'drafts' })}
      count={
        drafts.length > 0 &&
        `${formats.counted(drafts.length, 'campaign')} · ${formats.counted(fields, 'change')}`
      }
      actions={<Actions drafts={inScope} open={open} isPart={chosen.length > 0} undoButton={undoButton} />}
    >
      <Notices />
      {open.length > maxProposed && (
        <Banner flush tone="info" title={`${formats.count(maxProposed)} campaigns are reviewed at a time.`}>
          The other {formats.count(open.length - maxProposed)} stay drafts.
        </Banner>
      )}
      {isRead && drafts.length === 0 ? (
        <EmptyState icon="drafts" title="No drafts" action={<a href="#/campaigns">Open the campaigns</a>}>
          Changes to campaigns, typed or from a CSV file, wait here for your review.
        </EmptyState>
      ) : (
        <div className={styles.scroll}>
          <div className={styles.bar}>
            <Checkbox
              label="Select all"
              checked={chosen.length > 0 && chosen.length === listed.length}
              indeterminate={chosen.length > 0 && chosen.length < listed.length}
              onChange={(isOn) => setSelected(new Set(isOn ? listed.map(({ cid }) => cid) : []))}
            />
            <Checkbox
              label="Problems only"
              checked={onlyProblems}
              disabled={checked.size === 0}
              onChange={setOnlyProblems}
            />
            <span className={styles.summary} role="status">
              {check !== null && !check.isRunning && check.campaigns.length > 0
                ? `Checked: ${checkSummary(check.campaigns, formats)}`
                : ''}
            </span>
            {chosen.length > 0 && (
              <Button
                size="small"
                onClick={(event) => {
                  const revertChosen = (): void => {
                    revert(chosen, formats);
                    setSelected(new Set());
                  };
                  removeAndPassFocus(event.currentTarget, revertChosen, () => undoButton.current);
                }}
              >
                Revert {formats.counted(chosen.length, 'campaign')}
              </Button>
            )}
            <Buttons>
              <OpenButton />
              <ExportButton cids={drafts.map(({ cid }) => cid)} />
            </Buttons>
          </div>
          <table className={styles.list} aria-label="Drafted campaigns" data-entries="">
            <colgroup>
              <col className={styles.boxColumn} />
              <col className={styles.fieldColumn} />
              <col className={styles.beforeColumn} />
              <col />
              <col className={styles.stateColumn} />
            </colgroup>
            <thead>
              <tr>
                <th scope="col" colSpan={2} className={styles.inset}>
                  Field
                </th>
                <th scope="col">Before</th>
                <th scope="col" colSpan={2}>
                  After
                </th>
              </tr>
            </thead>
            {listed.slice(0, shown).map((draft) => (
              <DraftItem
                key={draft.cid}
                draft={draft}
                checked={checked.get(draft.cid)}
                isSelected={selected.has(draft.cid)}
                onSelect={(isOn) => setSelected(toggled(selected, draft.cid, isOn))}
                onRevert={() => revert([draft], formats)}
                afterLast={() => undoButton.current}
              />
            ))}
          </table>
          {onlyProblems && listed.length === 0 && (
            <p className={cx(common.soft, common.inset)}>No problems</p>
          )}
          {listed.length > shown && (
            <p className={cx(common.soft, common.inset)}>
              <LinkButton onClick={() => setShown(shown + atOnce)}>
                Show more ({formats.count(listed.length - shown)})
              </LinkButton>
            </p>
          )}
        </div>
      )}
    </PageFrame>
  );
}

function toggled(selected: ReadonlySet<number>, cid: number, isOn: boolean): ReadonlySet<number> {
  const others = [...selected].filter((other) => other !== cid);
  return new Set(isOn ? [...others, cid] : others);
}

function revert(drafts: readonly CampaignDraftView[], formats: Formats): void {
  const changes = drafts
    .filter(({ proposalId }) => proposalId === null)
    .flatMap(({ cid, fields }) => Object.keys(fields).map((field) => ({ cid, field, draft: null })));
  if (changes.length > 0)
    draftsStore.getState().change(`Revert of ${formats.counted(drafts.length, 'campaign')}`, changes);
}

interface ActionsProps {
  drafts: readonly CampaignDraftView[];
  open: readonly CampaignDraftView[];
  isPart: boolean;
  undoButton: RefObject<HTMLButtonElement | null>;
}

function Actions({ drafts, open, isPart, undoButton }: ActionsProps): ReactElement {
  const formats = useFormats();
  const { check, doing, begin, stop, propose } = useStore(checkStore);
  const { undo, redo } = useStore(draftsStore, ({ history }) => history);
  const isRunning = check?.isRunning ?? false;
  const cids = open.map(({ cid }) => cid).slice(0, maxProposed);
  async function review(): Promise<void> {
    const [first] = await propose(cids);
    if (first !== undefined) await reviewStore.getState().review(first);
  }
  return (
    <>
      {drafts.length === 0 && <OpenButton />}
      <IconButton
        ref={undoButton}
        icon="undo"
        label={undo === null ? 'Undo' : `Undo: ${undo}`}
        disabled={undo === null}
        onClick={() => void draftsStore.getState().undo()}
      />
      <IconButton
        icon="redo"
        label={redo === null ? 'Redo' : `Redo: ${redo}`}
        disabled={redo === null}
        onClick={() => void draftsStore.getState().redo()}
      />
      {isRunning ? (
        <>
          <span className={cx(common.soft, pages.tabular)} role="status">
            Checking {formats.count(check?.done ?? 0)} of {formats.count(check?.total ?? 0)}
          </span>
          <Button onClick={() => void stop()}>Cancel</Button>
        </>
      ) : (
        <Button
          icon="check-circle"
          disabled={drafts.length === 0 || doing !== null}
          onClick={() => void begin(isPart ? drafts.map(({ cid }) => cid) : null)}
        >
          {isPart ? `Check ${formats.counted(drafts.length, 'campaign')}` : 'Check all'}
        </Button>
      )}
      <Button
        kind="primary"
        disabled={cids.length === 0 || isRunning || doing !== null}
        onClick={() => void review()}
      >
        {doing === 'propose'
          ? 'Preparing…'
          : cids.length === 0
            ? 'Review changes'
            : open.length > cids.length
              ? `Review ${formats.count(cids.length)} of ${formats.counted(open.length, 'campaign')}`
              : `Review ${formats.counted(cids.length, 'campaign')}`}
      </Button>
    </>
  );
}

function OpenButton(): ReactElement {
  const isOpening = useStore(bulkFileStore, ({ doing }) => doing !== null);
  function open(file: File): void {
    uiStore.getState().navigate({ page: 'bulk' });
    void openCampaignFile(file);
  }
  return (
    <FileButton icon="file" label="CSV file" accept={campaignFileTypes} disabled={isOpening} onFile={open}>
      Open CSV…
    </FileButton>
  );
}

function ExportButton({ cids }: { cids: readonly number[] }): ReactElement {
  const isBeginning = useStore(bulkStore, ({ doing }) => doing !== null);
  async function begin(): Promise<void> {
    if (!(await bulkStore.getState().begin(cids.slice(0, maxFound)))) return;
    bulkFileStore.getState().chooseColumns(true);
    uiStore.getState().navigate({ page: 'bulk' });
  }
  return (
    <Button icon="download" disabled={isBeginning} onClick={() => void begin()}>
      Export CSV…
    </Button>
  );
}

function Notices(): ReactElement {
  const formats = useFormats();
  const { refused, refusal, dismiss } = useStore(checkStore);
  const failure = useStore(draftsStore, (state) => state.failure);
  const close = (
    <Button
      size="small"
      onClick={() => {
        dismiss();
        draftsStore.getState().dismiss();
      }}
    >
      Dismiss
    </Button>
  );
  const failed = refusal?.failure ?? failure;
  return (
    <>
      {failed && (
        <FailureBanner flush failure={failed} actions={close}>
          The drafts stay.
        </FailureBanner>
      )}
      {refused.length > 0 && (
        <Banner
          flush
          tone="warning"
          title={`${formats.counted(refused.length, 'campaign stays', 'campaigns stay')} a draft.`}
          actions={close}
        >
          {refused.slice(0, 5).map(({ cid, message }) => (
            <span key={cid}>
              {cid}: <ForeignText text={message} />{' '}
            </span>
          ))}
        </Banner>
      )}
    </>
  );
}
