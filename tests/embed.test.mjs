// The module in the bundle is the module that was built.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { embed } from '../js/build/embed.mjs';
import { byModule } from '../js/build/modules.mjs';
import { split } from '../js/build/split.mjs';

/** The module as a page gets it back. */
async function embedded(module) {
  const { decode } = await import(`data:text/javascript;base64,${Buffer.from(embed(module)).toString('base64')}`);
  return decode();
}

function assemble(text, ...options) {
  const folder = mkdtempSync(join(tmpdir(), 'agenticschema-'));
  try {
    writeFileSync(join(folder, 'a.wat'), text);
    execFileSync(process.execPath, ['node_modules/binaryen/bin/wasm-as', '--all-features', join(folder, 'a.wat'), ...options, '-o', join(folder, 'a.wasm')]);
    return readFileSync(join(folder, 'a.wasm'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// Every kind of immediate, numbers of several bytes, nested and empty blocks, bytes that need two characters.
const WHOLE = `(module
  (type $t (func (param i32) (result i32)))
  (memory (export "memory") 1)
  (table 1 funcref) (elem (i32.const 0) $called)
  (global $g (mut i32) (i32.const 7))
  (data (i32.const 60000) "\\00\\3c\\5c\\22\\7f\\ff<script>")
  (func $called (type $t) (i32.mul (local.get 0) (i32.const 300)))
  (func (export "run") (param $n i32) (result i64)
    (local $sum i64) (local $i i32) (local $f f64)
    (loop $again
      (block $two (block $one (block $zero
        (br_table $zero $one $two (i32.and (local.get $i) (i32.const 3))))
        (local.set $sum (i64.add (local.get $sum) (i64.const -5000000000)))
        (br $two))
        (local.set $sum (i64.xor (local.get $sum) (i64.extend_i32_s (call_indirect (type $t) (local.get $i) (i32.const 0))))))
      (if (i32.eqz (i32.and (local.get $i) (i32.const 1)))
        (then (global.set $g (i32.add (global.get $g) (call $called (local.get $i)))))
        (else (i64.store offset=1000 align=1 (local.get $i) (local.get $sum))))
      (br_if $again (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (memory.copy (i32.const 200) (i32.const 60000) (i32.const 14))
    (memory.fill (i32.const 190) (i32.const 65) (i32.const 9))
    (drop (memory.grow (i32.const 0)))
    (local.set $f (f64.convert_i32_s (memory.size)))
    (i64.add (i64.add (local.get $sum) (i64.load offset=192 (i32.const 0)))
      (i64.extend_i32_s (i32.add (global.get $g) (i32.trunc_sat_f64_s (local.get $f)))))))`;

test('a module with every kind of operation computes the same', async () => {
  const module = assemble(WHOLE), back = await embedded(module);
  const run = (bytes) => {
    const { run, memory } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
    return [run(100), Buffer.from(memory.buffer).toString('latin1')];
  };
  assert.deepEqual(run(back), run(module));
});

test('the core comes back, number by number', async () => {
  const module = readFileSync(new URL('../pkg/agenticschema_bg.wasm', import.meta.url));
  const back = await embedded(module);
  assert.ok(WebAssembly.validate(back));
  // All but how sizes are spelled, in the sections before the code, and the alignments, which are left out.
  const [was, is] = [split(module), split(back)];
  was[0] = is[0];
  assert.deepEqual(is, was);
});

test('an operation that unpacking does not know stops the build', () => {
  const module = assemble('(module (func (result f64) (f64.const 1)))');
  assert.throws(() => split(module), /instruction 68/);
});

test('the code is counted by the module that a function comes from', () => {
  const named = assemble(`(module (import "a" "b" (func))
    (func $agenticschema::text::part (nop) (nop))
    (func $agenticschema::text::rest)
    (func $<agenticschema::json::read::Reader>::value)
    (func $<alloc::vec::Vec<agenticschema::json::Json>>::push)
    (func $<agenticschema::json::Json_as_core::clone::Clone>::clone)
    (func $core_read (nop)))`.replace(/\$(\S+?)(?=[) ]|$)/gm, (_, name) => `$"${name.replaceAll('_as_', ' as ')}"`), '-g');
  const found = Object.fromEntries(byModule(named).map(([name, bytes, functions]) => [name, [bytes, functions]]));
  assert.deepEqual(found, { text: [6, 2], 'host::wasm': [3, 1], 'json::read': [2, 1], json: [2, 1], libraries: [2, 1] });
});
