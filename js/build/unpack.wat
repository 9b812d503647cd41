;; Turns the text in the bundle back into the WebAssembly module. js/build/pack.mjs writes that text, says what it is and
;; fills in what is ${so}. In WebAssembly because it runs at full speed at once, and every page pays for this at start.
;;
;; unpack: memory holds the text from 0 on; afterwards the module, from ${module} to the result.
(module
  (memory (export "memory") ${pages})

  (data (i32.const ${table}) "${symbols}")
  (data (i32.const ${starts}) "${positions}")

  (global $in (mut i32) (i32.const 0))
  (global $out (mut i32) (i32.const ${module}))

  ;; The value of the next character.
  (func $symbol (result i32)
    (local $symbol i32)
    (local.set $symbol (i32.sub (i32.load8_u (global.get $in)) (i32.const 35)))
    (global.set $in (i32.add (global.get $in) (i32.const 1)))
    ;; A space stands for \ and a ! for <.
    (if (i32.eq (local.get $symbol) (i32.const -3)) (then (return (i32.const 57))))
    (if (i32.eq (local.get $symbol) (i32.const -2)) (then (return (i32.const 25))))
    (local.get $symbol))

  ;; Writes the next byte of a stream. Gives it.
  (func $byte (param $stream i32) (result i32)
    (local $at i32) (local $byte i32)
    (local.set $at (i32.load offset=${starts} (local.get $stream)))
    (i32.store offset=${starts} (local.get $stream) (i32.add (local.get $at) (i32.const 1)))
    (i32.store8 (global.get $out) (local.tee $byte (i32.load8_u (local.get $at))))
    (global.set $out (i32.add (global.get $out) (i32.const 1)))
    (local.get $byte))

  ;; Writes so many numbers (LEB128) of a stream. Gives the first byte of the last.
  (func $numbers (param $stream i32) (param $count i32) (result i32)
    (local $first i32)
    (loop $next
      (if (i32.gt_s (local.get $count) (i32.const 0)) (then
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (if (i32.gt_u (local.tee $first (call $byte (local.get $stream))) (i32.const 127)) (then
          (loop $more (br_if $more (i32.gt_u (call $byte (i32.const ${more})) (i32.const 127))))))
        (br $next))))
    (local.get $first))

  ;; Writes how many bytes there are since a place, into the four bytes before it.
  (func $size (param $since i32)
    (local $size i32)
    (local.set $size (i32.sub (global.get $out) (local.get $since)))
    (i32.store (i32.sub (local.get $since) (i32.const 4)) (i32.or (i32.const 0x808080)
      (i32.or (i32.or
        (i32.and (local.get $size) (i32.const 0x7f))
        (i32.and (i32.shl (local.get $size) (i32.const 1)) (i32.const 0x7f00)))
        (i32.and (i32.shl (local.get $size) (i32.const 2)) (i32.const 0x7f0000))))))

  (func $room (result i32)
    (global.set $out (i32.add (global.get $out) (i32.const 4)))
    (global.get $out))

  (func (export "unpack") (result i32)
    (local $at i32) (local $op i32) (local $stream i32) (local $count i32) (local $depth i32)
    (local $functions i32) (local $section i32) (local $body i32)

    ;; The text as bytes, over itself: no byte is shorter than a character.
    (loop $bytes
      (if (i32.gt_s (local.tee $op (call $symbol)) (i32.const ${lastSingle})) (then
        (local.set $op (i32.add (call $symbol) (i32.sub (i32.mul (local.get $op) (i32.const ${symbolCount})) (i32.const ${doubles}))))))
      (i32.store8 (local.get $at) (i32.load8_u offset=${table} (local.get $op)))
      (br_if $bytes (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (i32.const ${packed}))))

    ;; The sections before the code, and its head.
    (memory.copy (i32.const ${module}) (i32.const 0) (i32.const ${before}))
    (global.set $out (i32.const ${code}))
    (local.set $section (call $room))
    (drop (call $numbers (i32.const ${head}) (i32.const 1)))

    (local.set $functions (i32.const ${functions}))
    (loop $function
      (local.set $body (call $room))
      (drop (call $numbers (i32.const ${head}) (i32.shl (call $numbers (i32.const ${head}) (i32.const 1)) (i32.const 1))))
      (local.set $depth (i32.const 1))
      (loop $instruction
        (local.set $op (call $byte (i32.const ${op})))
        (local.set $count (i32.const 1))
        (local.set $stream (i32.const ${other}))
        (block $known
          ;; local.get, local.set, local.tee
          (if (i32.lt_u (i32.sub (local.get $op) (i32.const 0x20)) (i32.const 3)) (then (local.set $stream (i32.const ${local})) (br $known)))
          (if (i32.eq (local.get $op) (i32.const 0x41)) (then (local.set $stream (i32.const ${constant})) (br $known)))
          ;; Loads and stores: the alignment is a hint that engines do not read.
          (if (i32.lt_u (i32.sub (local.get $op) (i32.const 0x28)) (i32.const 23)) (then
            (i32.store8 (global.get $out) (i32.const 0))
            (global.set $out (i32.add (global.get $out) (i32.const 1)))
            (local.set $stream (i32.const ${offset}))
            (br $known)))
          (if (i32.eq (local.get $op) (i32.const 0x10)) (then (local.set $stream (i32.const ${call})) (br $known)))
          ;; br, br_if
          (if (i32.eq (i32.and (local.get $op) (i32.const 0xfe)) (i32.const 0x0c)) (then (local.set $stream (i32.const ${label})) (br $known)))
          ;; block, loop, if
          (if (i32.lt_u (i32.sub (local.get $op) (i32.const 2)) (i32.const 3)) (then
            (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
            (local.set $stream (i32.const ${block}))
            (br $known)))
          (if (i32.eq (local.get $op) (i32.const 0x0b)) (then
            (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
            (local.set $count (i32.const 0))
            (br $known)))
          ;; br_table
          (if (i32.eq (local.get $op) (i32.const 0x0e)) (then
            (local.set $count (i32.add (call $numbers (local.tee $stream (i32.const ${label})) (i32.const 1)) (i32.const 1)))
            (br $known)))
          (if (i32.eq (local.get $op) (i32.const 0x42)) (then (local.set $stream (i32.const ${long})) (br $known)))
          ;; call_indirect has two numbers; of those with a second opcode, memory.copy two and memory.fill one.
          (if (i32.eq (local.get $op) (i32.const 0x11)) (then (local.set $count (i32.const 2)) (br $known)))
          (if (i32.eq (local.get $op) (i32.const 0xfc)) (then
            (local.set $count (i32.sub (call $numbers (i32.const ${other}) (i32.const 1)) (i32.const 8)))
            (local.set $count (i32.sub (i32.const 4) (local.get $count)))
            (if (i32.gt_s (local.get $count) (i32.const 2)) (then (local.set $count (i32.const 0))))
            (br $known)))
          ;; global.get, global.set, memory.size, memory.grow
          (br_if $known (i32.lt_u (i32.sub (local.get $op) (i32.const 0x23)) (i32.const 2)))
          (br_if $known (i32.lt_u (i32.sub (local.get $op) (i32.const 0x3f)) (i32.const 2)))
          (local.set $count (i32.const 0)))
        (drop (call $numbers (local.get $stream) (local.get $count)))
        (br_if $instruction (local.get $depth)))
      (call $size (local.get $body))
      (br_if $function (local.tee $functions (i32.sub (local.get $functions) (i32.const 1)))))
    (call $size (local.get $section))

    (memory.copy (global.get $out) (i32.const ${after}) (i32.const ${rest}))
    (i32.add (global.get $out) (i32.const ${rest}))))
