import { type Database, readColumn, columnsOf, writes } from '../../sqlite/database.ts';
import { packText, unpackText } from '../packed-text.ts';

export interface AgentCall {
  proposalId: string;
  agentId: string;
  /** The MCP session in which it came, the latest one where it came again. */
  sessionId: string;
  idempotencyKey: string | null;
  /** SHA-256 over the RFC 8785 form of tool and arguments. */
  requestHash: string;
  /** Time of the receipt, which says that the call waits; null while the call is open. */
  receiptAtMs: number | null;
  /** The service's answer as JSON text, once it is there. */
  answer: string | null;
}

export interface PreparedChange {
  agentId: string;
  approvalId: string;
  tool: string;
  /** The prepare's `data` and its arguments, as canonical JSON text. */
  body: string;
  expiresAtMs: number;
}

export interface AgentCallReader {
  find(proposalId: string): AgentCall | null;
  byKey(agentId: string, idempotencyKey: string): AgentCall | null;
  /** Proposals of one owner's calls in one session, newest first. */
  ofSession(agentId: string, sessionId: string): string[];
  undecided(): AgentCall[];
  prepared(agentId: string, approvalId: string): PreparedChange | null;
}

export interface AgentCallWriter {
  insert(call: AgentCall): void;
  /** The same call came again in this session: it is the one whose end counts. */
  moveTo(proposalId: string, sessionId: string): void;
  giveReceipt(proposalId: string, atMs: number): void;
  /** The call belongs to another proposal from now on, which took the place of its own; its key goes along. */
  succeed(proposalId: string, successorId: string): void;
  /** The call gives up its key, which a later call of the same owner takes. */
  releaseKey(proposalId: string): void;
  answer(proposalId: string, answer: string): void;
  /** Remembers what was prepared; what has expired is forgotten, and of too many what ends first. */
  keepPrepared(change: PreparedChange, nowMs: number): void;
}

const maxPrepared = 200;

const callColumns = columnsOf('proposalId agentId sessionId idempotencyKey requestHash receiptAtMs answer');
const preparedColumns = columnsOf('agentId approvalId tool body expiresAtMs');
const selectCall = `SELECT ${callColumns.selected} FROM agent_call`;

export function createAgentCallRows(db: Database): AgentCallReader & AgentCallWriter {
  const find = db.prepare<[string], AgentCall>(`${selectCall} WHERE proposal_id = ?`);
  const byKey = db.prepare<[string, string], AgentCall>(
    `${selectCall} WHERE agent_id = ? AND idempotency_key = ?`,
  );
  const ofSession = readColumn<[string, string], string>(
    db,
    'SELECT proposal_id FROM agent_call WHERE agent_id = ? AND session_id = ? ORDER BY proposal_id DESC',
  );
  const undecided = db.prepare<[], AgentCall>(
    `${selectCall} WHERE proposal_id IN
       (SELECT id FROM proposal WHERE state IN ('proposed', 'shown')) ORDER BY proposal_id`,
  );
  const insert = db.prepare<[AgentCall]>(`INSERT INTO agent_call ${callColumns.inserted}`);
  const moveTo = db.prepare<[string, string]>('UPDATE agent_call SET session_id = ? WHERE proposal_id = ?');
  const succeed = db.prepare<[string, string]>('UPDATE agent_call SET proposal_id = ? WHERE proposal_id = ?');
  const giveReceipt = db.prepare<[number, string]>(
    'UPDATE agent_call SET receipt_at_ms = ? WHERE proposal_id = ? AND receipt_at_ms IS NULL',
  );
  const answer = db.prepare<[string, string]>('UPDATE agent_call SET answer = ? WHERE proposal_id = ?');
  const prepared = db.prepare<[string, string], PreparedChange>(
    `SELECT ${preparedColumns.selected} FROM prepared_change WHERE agent_id = ? AND approval_id = ?`,
  );
  const keep = db.prepare<[PreparedChange]>(
    `INSERT OR REPLACE INTO prepared_change ${preparedColumns.inserted}`,
  );
  const prune = db.prepare<[number]>('DELETE FROM prepared_change WHERE expires_at_ms <= ?');
  const keepLatest = db.prepare<{ agentId: string; max: number }>(
    `DELETE FROM prepared_change WHERE agent_id = :agentId AND approval_id NOT IN
       (SELECT approval_id FROM prepared_change WHERE agent_id = :agentId
        ORDER BY expires_at_ms DESC, approval_id LIMIT :max)`,
  );
  return {
    find: (proposalId) => withAnswer(find.get(proposalId)),
    byKey: (agentId, key) => withAnswer(byKey.get(agentId, key)),
    ofSession: (agentId, sessionId) => ofSession.all(agentId, sessionId),
    undecided: () => undecided.all().flatMap((call) => withAnswer(call) ?? []),
    prepared: (agentId, approvalId) => prepared.get(agentId, approvalId) ?? null,
    insert: (call) => void insert.run({ ...call, answer: call.answer && storedAnswer(call.answer) }),
    moveTo: (proposalId, sessionId) => void moveTo.run(sessionId, proposalId),
    giveReceipt: (proposalId, atMs) => void giveReceipt.run(atMs, proposalId),
    succeed: (proposalId, successorId) => void succeed.run(successorId, proposalId),
    releaseKey: writes(db, 'UPDATE agent_call SET idempotency_key = NULL WHERE proposal_id = ?'),
    answer: (proposalId, text) => void answer.run(storedAnswer(text), proposalId),
    keepPrepared(change, nowMs) {
      prune.run(nowMs);
      keepLatest.run({ agentId: change.agentId, max: maxPrepared - 1 });
      keep.run(change);
    },
  };
}

function storedAnswer(text: string): string {
  return packText(text).toString('base64');
}

/** The call with the text of its answer, which an earlier build stored as JSON. */
function withAnswer(call: AgentCall | undefined): AgentCall | null {
  if (call === undefined) return null;
  const { answer } = call;
  if (answer === null || answer.startsWith('{')) return call;
  return { ...call, answer: unpackText(Buffer.from(answer, 'base64')) };
}
