# awend_commit(SOURCE OUT): sets OUT to the commit of SOURCE, in 12 digits: from .git_archival.txt, which `git archive` writes, or from
# git, or "unknown".  Git is not used if SOURCE has no .git of its own, because SOURCE may be within an unrelated repository.
# Test: tests/install/commit.sh.
function(awend_commit source out)
  set(commit "")
  if(EXISTS ${source}/.git_archival.txt)
    file(READ ${source}/.git_archival.txt commit)
  endif()
  if(NOT commit MATCHES "^commit: [0-9a-f]+" AND EXISTS ${source}/.git)
    execute_process(COMMAND git -c safe.directory=${source} -C ${source} rev-parse --verify HEAD OUTPUT_VARIABLE commit ERROR_QUIET RESULT_VARIABLE status)
    set(commit "commit: ${commit}")
  endif()
  if(commit MATCHES "^commit: ([0-9a-f]+)")
    string(SUBSTRING ${CMAKE_MATCH_1} 0 12 commit)
  else()
    set(commit unknown)
  endif()
  set(${out} ${commit} PARENT_SCOPE)
endfunction()

# awend_follow_commits(SOURCE): runs CMake again when the commit changes.
function(awend_follow_commits source)
  if(EXISTS ${source}/.git)
    execute_process(COMMAND git -c safe.directory=${source} -C ${source} rev-parse --path-format=absolute --git-path logs/HEAD
                    OUTPUT_VARIABLE log ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(log AND EXISTS ${log})
      set_property(DIRECTORY ${source} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
    endif()
  endif()
endfunction()
