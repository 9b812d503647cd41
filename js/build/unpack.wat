;; Puts a module together again that js/build/split.mjs took apart. Beside the core in the bundle because the same loops
;; in JavaScript run before any compiler of the engine has seen them, and take several times as long.
;;
;; Memory: the text from 0; what its characters stand for from 0x70000; where each stream is read, four bytes each, from
;; 0x78000; the streams from 0x80000; the instructions from 0x100000; the module from 0x180000.
(module
  (memory (export "memory") 32)
  ;; Kinds of operands; the build puts the table of split.mjs here.
  (data (i32.const 0x7c000) "KINDS")
  (global $out (mut i32) (i32.const 0x180000))
  (global $op (mut i32) (i32.const 0x100000))

  ;; Whether a byte is one character: a bit of the first 64 characters, which are hexadecimal digits.
  (func $frequent (param $byte i32) (result i32) (local $digit i32)
    (local.set $digit (i32.load8_u (i32.shr_u (local.get $byte) (i32.const 2))))
    (i32.and (i32.const 1) (i32.shr_u
      (i32.add (i32.and (local.get $digit) (i32.const 15)) (i32.mul (i32.const 9) (i32.gt_u (local.get $digit) (i32.const 57))))
      (i32.and (local.get $byte) (i32.const 3)))))

  ;; Whether a character stands for bytes: from space to ~ without " < \.
  (func $used (param $c i32) (result i32)
    (i32.and
      (i32.lt_u (i32.sub (local.get $c) (i32.const 32)) (i32.const 95))
      (i32.and (i32.ne (local.get $c) (i32.const 34))
        (i32.and (i32.ne (local.get $c) (i32.const 60)) (i32.ne (local.get $c) (i32.const 92))))))

  ;; Whether it does so alone: } and ~ take another one behind them.
  (func $single (param $c i32) (result i32)
    (i32.and (call $used (local.get $c)) (i32.lt_u (local.get $c) (i32.const 125))))

  ;; Writes an instruction, or both of a pair.
  (func $expand (param $op i32) (local $pair i32)
    (if (i32.lt_u (i32.sub (local.get $op) (i32.const 197)) (i32.const 55))
      (then
        (local.set $pair (i32.add (i32.load (i32.const 0x78008)) (i32.shl (i32.sub (local.get $op) (i32.const 197)) (i32.const 1))))
        (call $expand (i32.load8_u (local.get $pair)))
        (call $expand (i32.load8_u offset=1 (local.get $pair))))
      (else
        (i32.store8 (global.get $op) (local.get $op))
        (global.set $op (i32.add (global.get $op) (i32.const 1))))))

  (func $write (param $byte i32)
    (i32.store8 (global.get $out) (local.get $byte))
    (global.set $out (i32.add (global.get $out) (i32.const 1))))

  ;; Takes a byte of a stream.
  (func $byte (param $stream i32) (result i32) (local $at i32)
    (local.set $at (i32.load (local.get $stream)))
    (i32.store (local.get $stream) (i32.add (local.get $at) (i32.const 1)))
    (i32.load8_u (local.get $at)))

  ;; Copies a number of a stream; the result is its last byte.
  (func $number (param $stream i32) (result i32) (local $byte i32)
    (loop $more
      (call $write (local.tee $byte (call $byte (local.get $stream))))
      (br_if $more (i32.gt_u (local.get $byte) (i32.const 127))))
    (local.get $byte))

  ;; Copies a whole stream.
  (func $all (param $stream i32)
    (loop $more
      (if (i32.lt_u (i32.load (local.get $stream)) (i32.load offset=4 (local.get $stream)))
        (then
          (call $write (call $byte (local.get $stream)))
          (br $more)))))

  ;; From the length of the text to the end of the module.
  (func (export "unpack") (param $length i32) (result i32)
    (local $i i32) (local $c i32) (local $spare i32) (local $rest i32) (local $to i32) (local $stream i32)
    (local $end i32) (local $kind i32) (local $depth i32) (local $count i32) (local $start i32)

    ;; Frequent bytes that are characters stand for themselves; the others take what is left, in order.
    (local.set $rest (i32.const 16031))
    (local.set $spare (i32.const 31))
    (loop $bytes
      (if (call $frequent (local.get $i))
        (then
          (if (call $single (local.get $i))
            (then (local.set $c (local.get $i)))
            (else
              (loop $taken
                (local.set $spare (i32.add (local.get $spare) (i32.const 1)))
                (br_if $taken (i32.or (i32.eqz (call $single (local.get $spare))) (call $frequent (local.get $spare)))))
              (local.set $c (local.get $spare)))))
        (else
          (loop $taken
            (local.set $rest (i32.add (local.get $rest) (i32.const 1)))
            (br_if $taken (i32.eqz (call $used (i32.and (local.get $rest) (i32.const 127))))))
          (local.set $c (local.get $rest))))
      (i32.store8 offset=0x70000 (local.get $c) (local.get $i))
      (br_if $bytes (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 256))))

    ;; Text → streams, a tab between two of them.
    (local.set $i (i32.const 64))
    (local.set $stream (i32.const 0x78000))
    (i32.store (local.get $stream) (local.tee $to (i32.const 0x80000)))
    (loop $characters
      (local.set $c (i32.load8_u (local.get $i)))
      (if (i32.eq (local.get $c) (i32.const 9))
        (then
          (local.set $stream (i32.add (local.get $stream) (i32.const 4)))
          (i32.store (local.get $stream) (local.get $to)))
        (else
          (if (i32.gt_u (local.get $c) (i32.const 124))
            (then
              (local.set $i (i32.add (local.get $i) (i32.const 1)))
              (local.set $c (i32.add (i32.shl (local.get $c) (i32.const 7)) (i32.load8_u (local.get $i))))))
          (i32.store8 (local.get $to) (i32.load8_u offset=0x70000 (local.get $c)))
          (local.set $to (i32.add (local.get $to) (i32.const 1)))))
      (br_if $characters (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $length))))
    ;; The last stream is the instructions.
    (local.set $i (i32.load (local.get $stream)))
    (loop $instructions
      (call $expand (i32.load8_u (local.get $i)))
      (br_if $instructions (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $to))))

    (call $all (i32.const 0x78000))
    (local.set $i (i32.const 0x100000))
    (local.set $end (global.get $op))
    (loop $functions
      (local.set $start (global.get $out))
      (global.set $out (i32.add (global.get $out) (i32.const 3)))
      (local.set $count (call $number (i32.const 0x7800c)))
      (loop $locals
        (if (local.get $count)
          (then
            (drop (call $number (i32.const 0x7800c)))
            (call $write (call $byte (i32.const 0x7800c)))
            (local.set $count (i32.sub (local.get $count) (i32.const 1)))
            (br $locals))))
      (local.set $depth (i32.const 1))
      (loop $body
        (call $write (local.tee $c (i32.load8_u (local.get $i))))
        (local.set $kind (i32.load8_u offset=0x7c000 (local.get $c)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (local.set $depth (i32.sub (local.get $depth) (i32.eq (local.get $c) (i32.const 11))))
        (if (local.get $kind)
          (then
            (local.set $depth (i32.add (local.get $depth) (i32.eq (local.get $kind) (i32.const 1))))
            ;; The alignment of a load or store.
            (if (i32.eq (i32.and (local.get $kind) (i32.const 14)) (i32.const 6)) (then (call $write (i32.const 0))))
            (local.set $stream (i32.add (i32.const 0x78010) (i32.shl (i32.add (i32.mul (local.get $kind) (i32.const 10))
              ;; Kinds 4, 5 and 8 have a stream for each kind that comes next.
              (i32.mul
                (i32.and (i32.shr_u (i32.const 0x130) (local.get $kind)) (i32.const 1))
                (i32.load8_u offset=0x7c000 (i32.load8_u (local.get $i))))) (i32.const 2))))
            (local.set $count (call $number (local.get $stream)))
            (if (i32.eq (local.get $kind) (i32.const 9))
              (then
                (loop $labels
                  (drop (call $number (local.get $stream)))
                  (local.set $count (i32.sub (local.get $count) (i32.const 1)))
                  (br_if $labels (i32.ge_s (local.get $count) (i32.const 0))))))))
        (br_if $body (local.get $depth)))
      (local.set $count (i32.sub (i32.sub (global.get $out) (local.get $start)) (i32.const 3)))
      (i32.store8 (local.get $start) (i32.or (local.get $count) (i32.const 128)))
      (i32.store8 offset=1 (local.get $start) (i32.or (i32.shr_u (local.get $count) (i32.const 7)) (i32.const 128)))
      (i32.store8 offset=2 (local.get $start) (i32.shr_u (local.get $count) (i32.const 14)))
      (br_if $functions (i32.lt_u (local.get $i) (local.get $end))))

    (call $all (i32.const 0x78004))
    (global.get $out)))
