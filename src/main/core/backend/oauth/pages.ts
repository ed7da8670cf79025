import type { AuthorizationRequest } from '#core/oauth-server/index.ts';
import { html, type Markup } from '#core/platform/browser-page.ts';
import type { Tenant } from '../service.ts';
import { clientName, describeRedirect, layout } from './layout.ts';
import type { Member } from '#core/store/backend/index.ts';
import type { Scope } from '../remote-call/tool.ts';
import { scopeTexts, shownScopes } from './sign-in-accounts.ts';

interface SignInView {
  tenant: Tenant;
  asked: AuthorizationRequest;
  path: string;
  formToken: string;
  login: string;
  notice: string | null;
}

export function signInPage({ tenant, asked, path, formToken, login, notice }: SignInView): Markup {
  const token = html`<input type="hidden" name="form_token" value="${formToken}" />`;
  const card = html`<form method="post" action="${path}/sign-in">
      ${token}
      <div class="lead">
        <h1>Sign in</h1>
        <p>
          <b>${clientName(asked)}</b> asks for access. The answer goes to
          <b>${describeRedirect(asked.redirectUri).host}</b>. Signing in allows nothing yet.
        </p>
      </div>
      ${notice === null ? null : html`<p class="notice" role="alert">${notice}</p>`}
      <div class="fields">
        <label class="field"
          ><span>Login</span
          ><input
            name="login"
            value="${login}"
            autocomplete="username"
            autocapitalize="none"
            spellcheck="false"
            maxlength="128"
            required
            ${autofocusIf(login === '')}
        /></label>
        <label class="field"
          ><span>Password</span
          ><input
            name="password"
            type="password"
            autocomplete="current-password"
            maxlength="128"
            required
            ${autofocusIf(login !== '')}
        /></label>
      </div>
      <div class="actions">
        <button class="go last">Sign in</button>
        <button form="cancel">Cancel</button>
      </div>
    </form>
    <form id="cancel" method="post" action="${path}/cancel">${token}</form>`;
  return layout({
    tenant,
    title: 'Sign in',
    card,
    footer: html`The logins and their password were printed when the service started.`,
  });
}

function autofocusIf(isNext: boolean): Markup | null {
  return isNext ? html`autofocus` : null;
}

export function messagePage({
  tenant,
  title,
  next,
  again,
  word,
}: {
  tenant: Tenant;
  title: string;
  next: string;
  again?: { path: string; label: string };
  word?: string;
}): Markup {
  const link = again === undefined ? null : html`<p><a href="${again.path}">${again.label}</a></p>`;
  const card = html`<div class="lead">
    <h1>${title}</h1>
    <p>${next}</p>
    ${link}
  </div>`;
  return layout({ tenant, title, card, ...(word === undefined ? {} : { footer: html`${word}` }) });
}

interface ConsentView {
  tenant: Tenant;
  asked: AuthorizationRequest;
  member: Member;
  path: string;
  formToken: string;
}

const checkMark = html`<svg viewBox="0 0 16 16" aria-hidden="true">
  <path
    d="M3 8.5l3.2 3.2L13 4.8"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
  />
</svg>`;

const withoutMenu = html`<p class="notice caution">
  Remote tools are not in the menu of this account. Until they are, the client is refused whatever you allow
  here.
</p>`;

/** The first button is Deny, so pressing Enter denies. */
export function consentPage({ tenant, asked, member, path, formToken }: ConsentView): Markup {
  const token = html`<input type="hidden" name="form_token" value="${formToken}" />`;
  const redirect = describeRedirect(asked.redirectUri);
  const card = html`<form method="post" action="${path}/decide" autocomplete="off">
      ${token}
      <div class="lead">
        <h1>Allow access?</h1>
        <p id="who">
          A client that says it is <b>${clientName(asked)}</b> requests access to your account. This name is
          not verified.
        </p>
      </div>
      ${member.mcpMenu ? null : withoutMenu}
      <section>
        <h2>Your answer goes to</h2>
        <div class="host" id="where">${redirect.host}</div>
        <div class="detail">${redirect.meaning}<code>${redirect.address}</code></div>
      </section>
      <section class="account">
        <h2>Your account</h2>
        <span><b>${member.name}</b> · ${member.uid}</span>
        <button class="quiet" form="another">Use another account</button>
      </section>
      <section>
        <h2>The client may</h2>
        <ul class="scopes">
          ${shownScopes(asked.scopes).map(scopeItem)}
        </ul>
      </section>
      <div class="actions">
        <button name="decision" value="deny" aria-describedby="who where" autofocus>Deny</button>
        <button class="go" name="decision" value="allow" aria-describedby="who where">Allow</button>
      </div>
    </form>
    <form id="another" method="post" action="${path}/another-account">${token}</form>`;
  return layout({
    tenant,
    title: 'Allow access?',
    card,
    footer: html`If you did not start this yourself, deny it. Deny sends the client away with nothing.`,
  });
}

function scopeItem(scope: Scope): Markup {
  const { title, allows, isRequired: isAlways } = scopeTexts[scope];
  const words = html`<span><code>${scope}</code><b>${title}</b></span
    ><small>${allows}</small>`;
  return isAlways
    ? html`<li><div class="always">${checkMark}${words}</div></li>`
    : html`<li>
        <label><input type="checkbox" name="scope" value="${scope}" checked />${words}</label>
      </li>`;
}
