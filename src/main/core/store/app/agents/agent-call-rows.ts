import { type Database, columnsOf, readAll, readFirst, readValues, writes } from '../../sqlite/database.ts';
import { packText, unpackText } from '../packed-text.ts';

export interface AgentCall {
  proposalId: string;
  agentId: string;
  /** The latest MCP session that sent the call. */
  sessionId: string;
  idempotencyKey: string | null;
  requestHash: string;
  receiptAtMs: number | null;
  answer: string | null;
}

export interface PreparedChange {
  agentId: string;
  approvalId: string;
  tool: string;
  body: string;
  expiresAtMs: number;
}

export interface AgentCallReader {
  find(proposalId: string): AgentCall | null;
  byKey(agentId: string, idempotencyKey: string): AgentCall | null;
  ofSession(agentId: string, sessionId: string): string[];
  undecided(): AgentCall[];
  prepared(agentId: string, approvalId: string): PreparedChange | null;
}

export interface AgentCallWriter {
  insert(call: AgentCall): void;
  setSession(proposalId: string, sessionId: string): void;
  giveReceipt(proposalId: string, atMs: number): void;
  /** Assigns the call and its key to the proposal that replaces the call's proposal. */
  moveToSuccessor(proposalId: string, successorId: string): void;
  releaseKey(proposalId: string): void;
  answer(proposalId: string, answer: string): void;
  /** Stores a change. Deletes expired ones, and the agent's earliest above the limit. */
  savePrepared(change: PreparedChange, nowMs: number): void;
}

const maxPrepared = 200;

const callColumns = columnsOf('proposalId agentId sessionId idempotencyKey requestHash receiptAtMs answer');
const preparedColumns = columnsOf('agentId approvalId tool body expiresAtMs');
const selectCall = `SELECT ${callColumns.selected} FROM agent_call`;

export function createAgentCallRows(db: Database): AgentCallReader & AgentCallWriter {
  const insert = writes(db, `INSERT INTO agent_call ${callColumns.inserted}`);
  const moveTo = writes(db, 'UPDATE agent_call SET session_id = ? WHERE proposal_id = ?');
  const succeed = writes(db, 'UPDATE agent_call SET proposal_id = ? WHERE proposal_id = ?');
  const giveReceipt = writes(
    db,
    'UPDATE agent_call SET receipt_at_ms = ? WHERE proposal_id = ? AND receipt_at_ms IS NULL',
  );
  const answer = writes(db, 'UPDATE agent_call SET answer = ? WHERE proposal_id = ?');
  const keep = writes(db, `INSERT OR REPLACE INTO prepared_change ${preparedColumns.inserted}`);
  const prune = writes(db, 'DELETE FROM prepared_change WHERE expires_at_ms <= ?');
  const keepLatest = writes(
    db,
    `DELETE FROM prepared_change WHERE agent_id = :agentId AND approval_id NOT IN
       (SELECT approval_id FROM prepared_change WHERE agent_id = :agentId
        ORDER BY expires_at_ms DESC, approval_id LIMIT :max)`,
  );
  return {
    find: readFirst(db, `${selectCall} WHERE proposal_id = ?`, withAnswer),
    byKey: readFirst(db, `${selectCall} WHERE agent_id = ? AND idempotency_key = ?`, withAnswer),
    ofSession: readValues<string>(
      db,
      'SELECT proposal_id FROM agent_call WHERE agent_id = ? AND session_id = ? ORDER BY proposal_id DESC',
    ),
    undecided: readAll(
      db,
      `${selectCall} WHERE proposal_id IN
         (SELECT id FROM proposal WHERE state IN ('proposed', 'shown')) ORDER BY proposal_id`,
      withAnswer,
    ),
    prepared: readFirst<PreparedChange>(
      db,
      `SELECT ${preparedColumns.selected} FROM prepared_change WHERE agent_id = ? AND approval_id = ?`,
    ),
    insert: (call) => insert({ ...call, answer: call.answer && storedAnswer(call.answer) }),
    setSession: (proposalId, sessionId) => moveTo(sessionId, proposalId),
    giveReceipt: (proposalId, atMs) => giveReceipt(atMs, proposalId),
    moveToSuccessor: (proposalId, successorId) => succeed(successorId, proposalId),
    releaseKey: writes(db, 'UPDATE agent_call SET idempotency_key = NULL WHERE proposal_id = ?'),
    answer: (proposalId, text) => answer(storedAnswer(text), proposalId),
    savePrepared(change, nowMs) {
      prune(nowMs);
      keepLatest({ agentId: change.agentId, max: maxPrepared - 1 });
      keep(change);
    },
  };
}

function storedAnswer(text: string): string {
  return packText(text).toString('base64');
}

/** Reads two forms, because an earlier build stored the answer as plain JSON. */
function withAnswer(call: AgentCall): AgentCall {
  const { answer } = call;
  if (answer === null || answer.startsWith('{')) return call;
  return { ...call, answer: unpackText(Buffer.from(answer, 'base64')) };
}
