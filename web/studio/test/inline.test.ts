// No text stands inline in a source: what people read is said by its key, from en.ts.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import test from "node:test";
import type * as TS from "typescript";
import { en } from "../src/en";

const ts = ((): typeof TS | null => {
  try {
    return createRequire(resolve("package.json"))("typescript");
  } catch {
    return null; // npm ci brings it
  }
})();

// read are the attributes that people read or hear.
const read = /^(title|alt|label|placeholder|aria-(label|description|valuetext|roledescription)|text|empty|about|caption)$/;

// words are two of them, or one that begins or ends a sentence.
const words = /\p{L}{2,}[,:;.]? \p{L}| \p{L}{2,}|\p{L}{2,} |^[A-Z][a-z]+|\p{L}{2}[.?!…]$/u;

// notation is what every language writes alike: names of players, addresses, styles, programs' headers.
const notation = /^[a-z]+[-:][\w=.:-]+$|^api\/v1\/|^\.treebox svg$|^<iframe|^12px |\/ span |^\{\n {2}"name"|^Bearer |^[A-Z][a-z]+(-[A-Z][a-z]+)*$(?<=^(Content-Type|Arrow\w+|Page\w+|Home|End|Enter|Escape|POST|Space))/;

// calls are of functions whose texts are for programs.
const calls = /(querySelector|getElementById|EventListener|closest|matches|startsWith|endsWith|includes|split|replace|replaceAll|indexOf|(get|set|remove)Item|Attribute|useStored|useLatest|createElement|matchMedia|say|show)$/;

// inline has each text of a source that is no message, with its line.
function inline(name: string, source: string): string[] {
  const { SyntaxKind: Kind, ...is } = ts!;
  const file = is.createSourceFile(name, source, is.ScriptTarget.Latest, true, name.endsWith("x") ? is.ScriptKind.TSX : is.ScriptKind.TS);
  const found: string[] = [];
  const say = (n: TS.Node, text: string) => found.push(`${name}:${file.getLineAndCharacterOfPosition(n.getStart(file)).line + 1}: ${text.trim()}`);
  // shown says whether a literal is read where it stands: yes, never, or by what it says.
  const shown = (n: TS.Node): boolean | undefined => {
    let direct = true;
    for (let c = n, p = n.parent; p; c = p, p = p.parent) {
      if (is.isJsxAttribute(p)) {
        const attribute = p.name.getText(file);
        if (read.test(attribute)) return direct || undefined;
        return /^on[A-Z]/.test(attribute) || /^[A-Z]/.test(p.parent.parent.tagName.getText(file)) && !/^(class|id|href|page)$/.test(attribute) ? undefined : false;
      }
      if (is.isJsxExpression(p) && !is.isJsxAttribute(p.parent)) return direct || undefined;
      if (is.isTypeNode(p) || is.isImportDeclaration(p) || is.isExportDeclaration(p) || is.isCaseClause(p) && c === p.expression) return false;
      if (is.isElementAccessExpression(p) && c === p.argumentExpression || is.isPropertyAssignment(p) && c === p.name) return false;
      if (is.isCallExpression(p) && c !== p.expression && calls.test(p.expression.getText(file))) return false;
      if (is.isNewExpression(p) && !/(Error|Problem)$/.test(p.expression.getText(file))) return false;
      if (is.isBinaryExpression(p) && [Kind.EqualsEqualsEqualsToken, Kind.ExclamationEqualsEqualsToken, Kind.InKeyword].includes(p.operatorToken.kind)) return false;
      direct &&= is.isJsxExpression(p) || is.isParenthesizedExpression(p) || is.isConditionalExpression(p) && c !== p.condition ||
        is.isTemplateSpan(p) || is.isTemplateExpression(p) || is.isBinaryExpression(p) && c === p.right;
    }
    return undefined;
  };
  const visit = (n: TS.Node): void => {
    const parent = n.parent;
    if (is.isJsxText(n)) {
      const tag = is.isJsxElement(parent) ? parent.openingElement.tagName.getText(file) : "";
      if (/\p{L}/u.test(n.text) && !["code", "kbd", "Command"].includes(tag)) say(n, n.text);
    } else if (is.isStringLiteral(n) || is.isNoSubstitutionTemplateLiteral(n) || is.isTemplateExpression(n)) {
      const text = is.isTemplateExpression(n) ? n.head.text + n.templateSpans.map((s) => "1" + s.literal.text).join("") : n.text;
      const how = /\p{L}{2}/u.test(text) && !notation.test(text) ? shown(n) : false;
      if (how || (how === undefined && words.test(text))) say(n, text);
    }
    is.forEachChild(n, visit);
  };
  visit(file);
  return found;
}

const sources = readdirSync("src").filter((f) => /\.tsx?$/.test(f) && !/^(en|english|names)\.ts$/.test(f) && f !== "schema.ts");

test("no text stands inline", { skip: !ts }, () => {
  assert.ok(sources.length > 50);
  assert.equal(sources.flatMap((f) => inline(f, readFileSync(`src/${f}`, "utf8"))).join("\n"), "");
});

test("text that stands inline is found", { skip: !ts }, () => {
  const fixture = `const a = <p title="Games">Hello {n === 1 ? "game" : say("games")}<Pick label={\`of \${n}\`} /></p>;
const b = () => announce("You won.");
const c = <i class="icon wide" title={say("games")}>{say("n games", { n })} <code>oxo play</code></i>;
const d = [["first", "Whom the proof plays"]];
switch (s) { case "first move": f(\`Cut \${n}\`); }`;
  assert.deepEqual(inline("fixture.tsx", fixture), ["fixture.tsx:1: Games", "fixture.tsx:1: Hello", "fixture.tsx:1: game", "fixture.tsx:1: of 1",
    "fixture.tsx:2: You won.", "fixture.tsx:4: Whom the proof plays", "fixture.tsx:5: Cut 1"]);
});

test("each message is said", () => {
  const all = sources.map((f) => readFileSync(`src/${f}`, "utf8")).join("\n");
  assert.equal(Object.keys(en).filter((key) => !all.includes(JSON.stringify(key))).join("\n"), "");
});
